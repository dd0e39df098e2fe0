import { eq } from "drizzle-orm";
import type { Detail, Phases } from "../../../domain/checks/observation.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import type { Database } from "../open.ts";
import { checkResults } from "../schema.ts";
import { internDetail, readDetails } from "./details.ts";
import { seriesOf, statusOf } from "./series.ts";
import { packTimings, unpackTimings } from "./timings.ts";

/*
 * A result is the row that there are millions of: what differs from check to check is packed, and what stays the same
 * is stored once.
 */

/** What is recorded of one check or checkin. */
export interface ResultValues {
  status: Status;
  latencyMs: number | null;
  detail: Detail | null;
  createdAt: number;
}

type Measured = Pick<ResultValues, "latencyMs" | "detail">;

const INSERT = "INSERT INTO check_results (series, timings, detail_pk, created_at) VALUES (?, ?, ?, ?)";

/** @returns the number of the result */
export function insertResult(
  db: Database,
  { pk, type }: { pk: number; type: MonitorType },
  { status, latencyMs, detail, createdAt }: ResultValues,
): number {
  const { timings, rest } = packMeasured({ latencyMs, detail });
  const detailPk = isEmpty(rest) ? null : internDetail(db, pk, rest, createdAt);
  const row = [seriesOf(pk, type, status), timings, detailPk, createdAt] as const;
  return Number(db.$client.query(INSERT).run(...row).lastInsertRowid);
}

/** One result of a monitor of some type, by its number. */
export function findResult(db: Database, type: MonitorType, pk: number): ResultValues | undefined {
  const row = db.select().from(checkResults).where(eq(checkResults.pk, pk)).get();
  if (!row) return undefined;
  const { series, timings, detailPk, createdAt } = row;
  const rest = detailPk === null ? undefined : readDetails(db, [detailPk]).get(detailPk);
  return { status: statusOf(series, type), ...readMeasured(timings, rest), createdAt };
}

/** A result as it is read once it is stored, with its times in hundredths of a millisecond. */
export function asStored<R extends Measured>(result: R): R {
  const { timings, rest } = packMeasured(result);
  return { ...result, ...readMeasured(timings, rest) };
}

function packMeasured({ latencyMs, detail }: Measured) {
  const { phases, ...rest } = detail ?? {};
  return { timings: packTimings({ latencyMs, phases: (phases ?? {}) as Phases }), rest };
}

/** What the timings and the rest of a stored result come to. */
export function readMeasured(timings: Uint8Array | null, rest: Detail | undefined) {
  const { latencyMs, phases } = unpackTimings(timings);
  const detail = { ...rest, ...(!isEmpty(phases) && { phases }) };
  return { latencyMs, detail: isEmpty(detail) ? null : detail };
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}
