import { SHA256 } from "bun";
import type { Detail, Phases } from "../../domain/checks/observation.ts";
import { endedRunOf, type RunDetail, runDetail } from "../../domain/heartbeats/job-runs.ts";
import { packTimings, unpackTimings } from "./timings.ts";

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
