import { SHA256 } from "bun";
import type { Detail, Phases } from "../../domain/checks/observation.ts";
import { type EndedRun, endedRunOf, type RunDetail, runDetail } from "../../domain/heartbeats/job-runs.ts";
import { type Bucket, bucketsOf, seenIn } from "../../domain/results/history.ts";
import { rangeStart } from "../../domain/results/range.ts";
import { dayOf, hourOf, type Stretch } from "../../domain/results/rollup.ts";
import { type StatusCount, type StatusCounts, sumByStatus } from "../../domain/results/uptime.ts";

/** The times of one check, in milliseconds. @property run of a check-in that ended one; it has no other times */
interface Timings {
  latencyMs: number | null;
  phases: Phases;
  run?: EndedRun;
}

/*
 * The times of a check would be the largest part of a result, so they are packed: one byte with a bit for each time that
 * exists, then the times in hundredths of a millisecond as LEB128 numbers (seven bits in each byte, the lowest first). The
 * time to the first byte is not stored if it is the latency minus the other phases. Plain columns would take 5 bytes more
 * for each result.
 *
 * A run that a check-in ended has its own bit, and its number, its length and its start in whole milliseconds in the places of the first
 * three times.
 */
const FIELDS = ["resolve", "connect", "tls", "firstByte"] as const;
const LATENCY = 1 << FIELDS.length;
const FIRST_BYTE_IS_THE_REST = LATENCY << 1;
const RUN = FIRST_BYTE_IS_THE_REST << 1;
const HUNDREDTHS = 100;

/** @returns null if nothing was measured */
export function packTimings({ latencyMs, phases, run }: Timings): Uint8Array | null {
  if (run) return packDurations(RUN | 0b111, (bit) => [run.number, run.durationMs, run.startedAt][bit] ?? 0);
  const rest = latencyMs !== null && phases.firstByte !== undefined;
  const packed = [0];
  let bits = 0;
  if (latencyMs !== null) {
    bits |= LATENCY;
    pushNumber(packed, latencyMs);
  }
  for (const [at, field] of FIELDS.entries()) {
    const value = phases[field];
    if (value === undefined) continue;
    if (field === "firstByte" && rest) {
      bits |= FIRST_BYTE_IS_THE_REST;
    } else {
      bits |= 1 << at;
      pushNumber(packed, value);
    }
  }
  packed[0] = bits;
  return bits === 0 ? null : Uint8Array.from(packed);
}

export function unpackTimings(packed: Uint8Array | null): Timings {
  if (packed === null) return { latencyMs: null, phases: {} };
  const [bits = 0] = packed;
  const read = reader(packed);
  if (bits & RUN) {
    const run = { number: read(), durationMs: read(), startedAt: read() };
    return { latencyMs: null, phases: {}, run };
  }
  const latency = bits & LATENCY ? read() : null;
  const phases: Phases = {};
  let rest = latency ?? 0;
  for (const [at, field] of FIELDS.entries()) {
    if (!(bits & (1 << at))) continue;
    const value = read();
    rest -= value;
    phases[field] = value / HUNDREDTHS;
  }
  if (bits & FIRST_BYTE_IS_THE_REST) phases.firstByte = Math.max(0, rest) / HUNDREDTHS;
  return { latencyMs: latency === null ? null : latency / HUNDREDTHS, phases };
}

/** The latency comes first. */
const ORDER = [FIELDS.length, ...FIELDS.keys()];

/** @param use gets the place of the bit of each duration in the first byte, and hundredths of a millisecond */
export function eachDuration(packed: Uint8Array, use: (bit: number, hundredths: number) => void): void {
  const [parts = 0] = packed;
  const read = reader(packed);
  for (const bit of ORDER) if (parts & (1 << bit)) use(bit, read());
}

/** The inverse of `eachDuration`. @param parts the first byte; 0 without durations */
export function packDurations(parts: number, hundredthsOf: (bit: number) => number): Uint8Array | null {
  if (parts === 0) return null;
  const packed = [parts];
  for (const bit of ORDER) if (parts & (1 << bit)) pushHundredths(packed, hundredthsOf(bit));
  return Uint8Array.from(packed);
}

function pushNumber(packed: number[], milliseconds: number): void {
  pushHundredths(packed, Math.round(milliseconds * HUNDREDTHS));
}

function pushHundredths(packed: number[], value: number): void {
  let left = value;
  while (left >= 128) {
    packed.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  packed.push(left);
}

/** A function that returns the next number with each call, beginning after the first byte. */
function reader(packed: Uint8Array): () => number {
  let at = 1;
  return () => {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = packed[at++] ?? 0;
      value += (byte % 128) * unit;
      if (byte < 128) return value;
    }
  };
}

/*
 * There are millions of results, so rows are small: a row contains packed timings, which differ between checks, and refers
 * to a detail, which most results share.
 */

/** The measurements of one check. */
interface Measured {
  latencyMs: number | null;
  detail: Detail | null;
}

/** A result with its times rounded to hundredths of a millisecond, as they are stored. */
export function asStored<R extends Measured>(result: R): R {
  const { timings, rest } = packMeasured(result);
  return { ...result, ...readMeasured(timings, rest ?? undefined) };
}

/** @returns the packed timings, and the detail without them, null if it is empty */
export function packMeasured({ latencyMs, detail }: Measured) {
  const { phases, run, ...rest } = (detail ?? {}) as Detail & { phases?: Phases; run?: RunDetail };
  const timings = packTimings({ latencyMs, phases: phases ?? {}, ...(run && { run: endedRunOf(run) }) });
  return { timings, rest: isEmpty(rest) ? null : (rest as Detail) };
}

/** Combines the timings and the detail of a stored result. */
export function readMeasured(timings: Uint8Array | null, rest: Detail | undefined) {
  const { latencyMs, phases, run } = unpackTimings(timings);
  const detail: Detail = {
    ...rest,
    ...(!isEmpty(phases) && { phases }),
    ...(run && { run: runDetail(run) }),
  };
  return { latencyMs, detail: isEmpty(detail) ? null : detail };
}

/** The detail of a result without the phases of its check. @param text what is stored of it as JSON; null if nothing is */
export function detailWithoutPhases(timings: Uint8Array | null, text: string | null): Detail | null {
  const { run } = unpackTimings(timings);
  if (text === null && !run) return null;
  return { ...JSON.parse(text ?? "{}"), ...(run && { run: runDetail(run) }) };
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

const HASH_LENGTH = 16;

/** How long the last use of a detail may differ from the stored one, in milliseconds: details are kept for months. */
export const USE_PRECISION = 24 * 60 * 60 * 1000;

/** A detail as it is stored, with the digest by which an equal one is found. */
export function detailText(detail: Detail): { text: string; hash: Uint8Array } {
  const text = JSON.stringify(detail);
  return { text, hash: digestOf(text) };
}

/** `node:crypto` takes longer. */
function digestOf(text: string): Uint8Array {
  const digest = new Uint8Array(SHA256.byteLength);
  SHA256.hash(text, digest);
  return digest.subarray(0, HASH_LENGTH);
}

const DAY = 24 * 60 * 60 * 1000;

/** The results of a monitor in the trailing 90 days. */
export interface NinetyDays {
  /** The results of each status. The 90 days begin within a day, whose remaining hours come from hourly rollups. */
  counts: StatusCounts;
  /** The statuses of each day, oldest first and today last; see `seenIn`. */
  seen: Uint32Array;
}

/** The rollups from which the trailing 90 days are computed. */
interface NinetyDaysPlan {
  buckets: Bucket[];
  /** The hourly rollups of the first day. */
  hours: Required<Stretch>;
  /** The daily rollups before yesterday, which rarely change. */
  days: Required<Stretch>;
}

/** @param now milliseconds since 1970 */
export function planNinetyDays(now: number): NinetyDaysPlan {
  const since = hourOf(rangeStart("90d", now));
  const nextDay = dayOf(since) + DAY;
  return {
    buckets: bucketsOf("90d", now),
    hours: { since, until: nextDay },
    days: { since: nextDay, until: dayOf(now) - DAY },
  };
}

/** The days before yesterday. */
export function settledDays(
  { buckets }: NinetyDaysPlan,
  { hours, days }: { hours: StatusCount[]; days: StatusCount[] },
): NinetyDays {
  return { counts: sumByStatus(days, sumByStatus(hours)), seen: seenIn(buckets, days) };
}

/** @param latest the rollups of yesterday and today */
export function withLatestDays(
  { buckets }: NinetyDaysPlan,
  settled: NinetyDays | undefined,
  latest: StatusCount[],
): NinetyDays {
  return { counts: sumByStatus(latest, settled?.counts), seen: seenIn(buckets, latest, settled?.seen) };
}
