import type { Detail } from "../../../domain/checks/observation.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import type { SavedResult } from "../../recording/recording-engine.ts";
import { detailText, packMeasured, USE_PRECISION } from "../../results/timings.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, prepared } from "../open.ts";

/** One check or check-in, as it is recorded. */
interface ResultValues {
  status: Status;
  latencyMs: number | null;
  detail: Detail | null;
  createdAt: number;
}

const INSERT = `INSERT INTO check_results (monitor_pk, status, timings, detail_pk, created_at)
  VALUES (?, ?, ?, ?, ?)`;

export function insertResult(
  db: Database,
  monitorPk: number,
  { status: word, latencyMs, detail, createdAt }: ResultValues,
): SavedResult {
  const { timings, rest } = packMeasured({ latencyMs, detail });
  const detailPk = rest && internDetail(db, monitorPk, rest, createdAt);
  const status = statusCodes[word];
  const { lastInsertRowid } = prepared(db, INSERT).run(monitorPk, status, timings, detailPk, createdAt);
  return { pk: Number(lastInsertRowid), status, timings, detailPk, createdAt };
}

const FIND = "SELECT pk, used_at AS usedAt FROM details WHERE monitor_pk = ? AND hash = ?";
const INSERT_DETAIL = "INSERT INTO details (monitor_pk, hash, text, used_at) VALUES (?, ?, ?, ?)";
const USE = "UPDATE details SET used_at = ? WHERE pk = ?";

/**
 * Stores a detail, or finds the equal one: most results of a monitor differ only in their timings. To be called within
 * the transaction of the result.
 *
 * @param now milliseconds since 1970
 * @returns the number of the detail
 */
export function internDetail(db: Database, monitorPk: number, detail: Detail, now: number): number {
  const { text, hash } = detailText(detail);
  const existing = prepared<{ pk: number; usedAt: number }, [number, Uint8Array]>(db, FIND).get(
    monitorPk,
    hash,
  );
  if (!existing) return Number(prepared(db, INSERT_DETAIL).run(monitorPk, hash, text, now).lastInsertRowid);
  if (now - existing.usedAt > USE_PRECISION) prepared(db, USE).run(now, existing.pk);
  return existing.pk;
}
