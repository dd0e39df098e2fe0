import type { Phases } from "../../domain/checks/observation.ts";
import type { EndedRun } from "../../domain/heartbeats/job-runs.ts";

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
