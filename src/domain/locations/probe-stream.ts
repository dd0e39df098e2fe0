/** How many replaced streams of a location are remembered. */
const MAX_REPLACED = 8;

/** For how long after the latest return of a stream the key counts as shared, in milliseconds. */
const SHARED_FOR = 10 * 60_000;

/** The databases of the probes that used the key of a location, as their batches name them. */
export interface ProbeStreams {
  /** The stream of the latest batch; null before the first one. */
  stream: string | null;
  /** Streams that another one has replaced, the latest first. */
  replacedStreams: readonly string[];
  /** When one of these last sent a batch again, in milliseconds since 1970; null if none did. */
  streamReturnedAt: number | null;
}

/**
 * The streams of a location after a batch. A new stream is a probe with a new database, for example after a new
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

/** The numbers from the first to the last, both included. */
type SequenceRange = [from: number, to: number];

/**
 * The sequences of the observations that were taken from a probe, so that sending one again is harmless (behavior 13.18):
 * ascending ranges with gaps between them, stored as JSON.
 */
export type SequenceRanges = readonly SequenceRange[];

/** There are few gaps: where a probe dropped observations, and before its backlog is sent. */
const MAX_RANGES = 1000;

export function containsSequence(ranges: SequenceRanges, sequence: number): boolean {
  return ranges.some(([from, to]) => from <= sequence && sequence <= to);
}

/** If there are too many ranges, the two with the lowest numbers become one: what is between them counts as taken. */
export function addSequence(ranges: SequenceRanges, sequence: number): SequenceRanges {
  const before = ranges.filter(([, to]) => to < sequence - 1);
  const after = ranges.filter(([from]) => from > sequence + 1);
  const touching = ranges.slice(before.length, ranges.length - after.length);
  const joined = join([...touching, [sequence, sequence]]);
  const [first, second, ...others] = [...before, joined, ...after];
  return first && second && others.length > MAX_RANGES - 2
    ? [join([first, second]), ...others]
    : [...before, joined, ...after];
}

function join(ranges: SequenceRanges): SequenceRange {
  return [Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, to]) => to))];
}
