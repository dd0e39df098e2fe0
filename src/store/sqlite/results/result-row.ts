import type { Detail } from "../../../domain/checks/observation.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { packMeasured } from "../../results/measured.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, prepared } from "../open.ts";
import { internDetail } from "./details.ts";

/** What is recorded of one check or check-in. */
interface ResultValues {
  status: Status;
  latencyMs: number | null;
  detail: Detail | null;
  createdAt: number;
}

const INSERT = `INSERT INTO check_results (monitor_pk, status, timings, detail_pk, created_at)
  VALUES (?, ?, ?, ?, ?)`;

/** @returns the number of the result */
export function insertResult(
  db: Database,
  monitorPk: number,
  { status, latencyMs, detail, createdAt }: ResultValues,
): number {
  const { timings, rest } = packMeasured({ latencyMs, detail });
  const detailPk = rest && internDetail(db, monitorPk, rest, createdAt);
  const row = [monitorPk, statusCodes[status], timings, detailPk, createdAt] as const;
  return Number(prepared(db, INSERT).run(...row).lastInsertRowid);
}
