import type { Detail, Phases } from "../../domain/checks/observation.ts";
import { packTimings, unpackTimings } from "./timings.ts";

/*
 * There are millions of results, so rows are small: a row contains packed timings, which differ between checks, and refers
 * to a detail, which most results share.
 */

/** What was measured of one check. */
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
  const { phases, ...rest } = detail ?? {};
  const timings = packTimings({ latencyMs, phases: (phases ?? {}) as Phases });
  return { timings, rest: isEmpty(rest) ? null : (rest as Detail) };
}

/** Combines the timings and the detail of a stored result. */
export function readMeasured(timings: Uint8Array | null, rest: Detail | undefined) {
  const { latencyMs, phases } = unpackTimings(timings);
  const detail = { ...rest, ...(!isEmpty(phases) && { phases }) };
  return { latencyMs, detail: isEmpty(detail) ? null : detail };
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}
