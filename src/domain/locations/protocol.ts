import { type Static, Type } from "@sinclair/typebox";
import type { Evidence } from "../checks/observation.ts";
import type { MonitorConfig, ProbedType } from "../monitors/monitor.ts";
import type { KnownRegistration } from "../registration/registration.ts";
import { closed, described, oneOf } from "../schemas/schema.ts";
import { PING_ACCESS } from "./ping-access.ts";

/*
 * The protocol of remote probes and the server: two routes, both with the key of the location.
 *
 *   GET  /api/v1/probe/work?revision=R&after=T   the work, or the re-checks, as soon as there are new ones
 *   POST /api/v1/probe/results                   up to 500 observations; the answer may ask for looks
 *   POST /api/v1/probe/looks                     what such a look saw, from version 2 on
 */

/** The version of this protocol, in the header `stillup-protocol` of each request and response. */
export const PROTOCOL = 2;
export const PROTOCOL_HEADER = "stillup-protocol";

/** The oldest version that this program understands: the previous one, once there is one (behavior 13.40). */
export const OLDEST_PROTOCOL = Math.max(1, PROTOCOL - 1);

/** Whether this program understands the protocol of the other side. @param header its value; null if there is none */
export function understands(header: string | null): boolean {
  const version = /^[1-9]\d{0,8}$/.test(header ?? "") ? Number(header) : 0;
  return version >= OLDEST_PROTOCOL && version <= PROTOCOL;
}

/** From this version on, a probe sends facts of failed checks, and can look once more (behavior 22.11). */
const LOOKS_SINCE = 2;

/** Whether the other side can look once more. @param header its version; it was understood */
export function canLook(header: string | null): boolean {
  return Number(header) >= LOOKS_SINCE;
}

/** How long the server holds a request for work if there is nothing new, in milliseconds. */
export const POLL_FOR = 25_000;

export const MAX_BATCH = 500;

/** A probe keeps what it could not send for this long, and the server takes nothing older; milliseconds. */
export const KEPT_FOR = 24 * 60 * 60 * 1000;

/** Older observations are a backlog: a probe sends others first, and nobody waits for them; milliseconds. */
export const FRESH_FOR = 120_000;

/** The clock of a probe follows the clock of the server. An observation further in the future is refused; milliseconds. */
export const MAX_SKEW = 10_000;

/** One monitor, for the probe of a location. */
export interface WorkItem {
  monitorId: string;
  /** The revision of the monitor, which is sent back with each observation. */
  revision: number;
  type: ProbedType;
  /** With its secrets in plain text, and an interval in seconds. */
  config: MonitorConfig<ProbedType>;
  /** By how much its slots are later than the slots of `nextCheckAt` in check-slot.ts, in milliseconds. */
  offset: number;
}

/** A check outside of the slots. @property at when it is due, in milliseconds since 1970 */
export interface Recheck {
  monitorId: string;
  at: number;
}

/**
 * The answer to a request for work.
 *
 * @property now the time of the server when it answers, in milliseconds since 1970
 * @property revision changes whenever `monitors` does; the next request repeats it
 * @property monitors all monitors of the location; missing if the request named the present revision
 * @property rechecks that no observation has answered yet, and `after` for the next request
 */
export interface Work {
  location: { id: string; name: string };
  now: number;
  revision: number;
  monitors?: WorkItem[];
  rechecks: Recheck[];
  after: number;
}

/** The abilities that a probe of an earlier version lacks. */
const ABILITIES = ["reach"] as const;

/** The fields with which a probe of an earlier version would check something else (behavior 26.31). */
const OF_REACH = ["clientCertificate", "proxy", "digestAuth", "oauth2", "steps"];
const EXPECTED = ["matches", "same"];

/** Whether only a probe that knows section 26 can check a config. */
export function needsReach(config: object): boolean {
  const { expect } = config as { expect?: object };
  return OF_REACH.some((field) => field in config) || (!!expect && EXPECTED.some((field) => field in expect));
}

const Digits = (description: string) => Type.Optional(Type.String({ format: "digits", description }));

/** The state of a probe, in the query of a request for work. Counts are since the start of its database. */
export const WorkQuery = Type.Object(
  {
    revision: Digits("That of the previous answer. The first request has none, and is answered at once."),
    after: Digits("That of the previous answer."),
    waiting: Digits("How many observations wait to be sent."),
    dropped: Digits("How many observations could not be kept until they were sent."),
    ping: Type.Optional(
      described(
        oneOf(PING_ACCESS),
        "Whether the machine of the probe lets it ping. Without it, it gets no monitors to ping.",
      ),
    ),
    can: Type.Optional(
      described(
        oneOf(ABILITIES),
        "`reach`: it knows what a config of reach says. Without it, it gets no monitors with such a config.",
      ),
    ),
  },
  { additionalProperties: true },
);
export type WorkQuery = Static<typeof WorkQuery>;

const Milliseconds = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });
const Count = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** The evidence of an observation is validated by itself, so that a bad one does not refuse the batch. */
const Observed = Type.Object(
  {
    /** Its number in the database of the probe, which makes sending it again harmless. */
    sequence: Count,
    monitorId: Type.String({ minLength: 1, maxLength: 64 }),
    revision: Type.Integer({ minimum: 0 }),
    /** When the check ended, by the clock of the server, and the slot in which it began. */
    at: Milliseconds,
    startAt: Milliseconds,
    evidence: Type.Unknown(),
  },
  closed,
);

/** @property stream identifies the database of the probe: its sequences begin again with another one */
export const ObservationBatch = Type.Object(
  {
    stream: Type.String({ pattern: "^[A-Za-z0-9]{22}$" }),
    observations: Type.Array(Observed, { minItems: 1, maxItems: MAX_BATCH }),
  },
  closed,
);
export type ObservationBatch = Static<typeof ObservationBatch>;

/**
 * An observation as a probe sends it, and as the server takes it after it has validated the evidence: with the registration of
 * the domain, which only the server knows.
 */
export type SentObservation = ObservationBatch["observations"][number];
export type Observed = Omit<SentObservation, "evidence"> & {
  evidence: Evidence;
  registration?: KnownRegistration | undefined;
};

/** The outcome of a batch. The probe deletes all of its observations. */
export const BatchAnswer = Type.Object(
  {
    now: Milliseconds,
    recorded: Type.Integer(),
    /** Sent before. */
    repeated: Type.Integer(),
    /** Their monitor was changed, deleted, or is not checked from this location any more. */
    ignored: Type.Integer(),
    /** Malformed, of another type of monitor, too old or from the future. */
    refused: Type.Integer(),
    /** The failures at which the location is to look once more. */
    looks: Type.Optional(
      Type.Array(
        Type.Object(
          {
            evidenceId: Type.String(),
            addresses: Type.Array(Type.String()),
            port: Type.Union([Type.Integer(), Type.Null()]),
          },
          closed,
        ),
      ),
    ),
  },
  closed,
);
export type BatchAnswer = Static<typeof BatchAnswer>;

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
