/** How many replaced streams of a location are remembered. */
const MAX_REPLACED = 8;

/** For how long after the latest return of a stream the key counts as shared, in milliseconds. */
const SHARED_FOR = 10 * 60_000;

/** The databases of the probes that used the key of a location, as their batches name them. */
export interface ProbeStreams {
  /** Of the latest batch; null before the first one. */
  stream: string | null;
  /** Those that another one has replaced, the latest first. */
  replacedStreams: readonly string[];
  /** When one of these last sent a batch again, in milliseconds since 1970; null if none did. */
  streamReturnedAt: number | null;
}

/**
 * What is known of the streams after a batch. A new stream is a probe with a new database, for example after a new
 * installation. A replaced one that returns shows that several probes use the key (behavior 13.72).
 *
 * @param now milliseconds since 1970
 */
export function afterBatch(known: ProbeStreams, stream: string, now: number): ProbeStreams {
  if (known.stream === stream) return known;
  const replaced = known.stream === null ? [] : [known.stream, ...known.replacedStreams];
  return {
    stream,
    replacedStreams: replaced.filter((one) => one !== stream).slice(0, MAX_REPLACED),
    streamReturnedAt: replaced.includes(stream) ? now : known.streamReturnedAt,
  };
}

/** Whether several probes use the key of a location, as far as is known (behavior 13.73). The clock may have been set back. */
export function isKeyShared(
  { streamReturnedAt }: Pick<ProbeStreams, "streamReturnedAt">,
  now: number,
): boolean {
  return streamReturnedAt !== null && Math.abs(now - streamReturnedAt) < SHARED_FOR;
}
