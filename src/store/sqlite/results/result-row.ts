import type { Detail, Phases } from "../../../domain/checks/observation.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, prepared } from "../open.ts";
import { internDetail } from "./details.ts";
import { packTimings, unpackTimings } from "./timings.ts";

/*
 * There are millions of results, so rows are small: a row contains packed timings, which differ between checks, and refers
 * to a detail, which most results share.
 */

/** The location of all checks: this server. */
export const HERE = 0;

/** What is recorded of one check or check-in. */
interface ResultValues {
  status: Status;
  latencyMs: number | null;
  detail: Detail | null;
  createdAt: number;
}

type Measured = Pick<ResultValues, "latencyMs" | "detail">;

const INSERT = `INSERT INTO check_results (monitor_pk, status, timings, detail_pk, created_at)
  VALUES (?, ?, ?, ?, ?)`;

/** @returns the number of the result */
export function insertResult(
  db: Database,
  monitorPk: number,
  { status, latencyMs, detail, createdAt }: ResultValues,
): number {
  const { timings, rest } = packMeasured({ latencyMs, detail });
  const detailPk = isEmpty(rest) ? null : internDetail(db, monitorPk, rest, createdAt);
  const row = [monitorPk, statusCodes[status], timings, detailPk, createdAt] as const;
  return Number(prepared(db, INSERT).run(...row).lastInsertRowid);
}

/** A result with its times rounded to hundredths of a millisecond, as they are stored. */
export function asStored<R extends Measured>(result: R): R {
  const { timings, rest } = packMeasured(result);
  return { ...result, ...readMeasured(timings, rest) };
}

function packMeasured({ latencyMs, detail }: Measured) {
  const { phases, ...rest } = detail ?? {};
  return { timings: packTimings({ latencyMs, phases: (phases ?? {}) as Phases }), rest };
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
