import type { PlannedResult } from "../../../domain/monitors/recording-plan.ts";
import type { SavedResult } from "../../recording/recording-engine.ts";
import { findSubject, type StoredSubjects } from "../../recording/stored-subject.ts";
import { packMeasured } from "../../results/timings.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import { MissingPartition } from "../partitions.ts";
import { internDetails } from "../results/details.ts";
import { arraysOf } from "../values.ts";
import type { StoredSubject } from "./load-subjects.ts";

/** Inserted in the order of the arrays, so that the numbers are in this order too. */
const INSERT = `INSERT INTO check_results (created_at, monitor_pk, detail_pk, status, timings)
  SELECT created_at, monitor_pk, detail_pk, status, timings
  FROM unnest($1::bigint[], $2::integer[], $3::bigint[], $4::smallint[], $5::bytea[])
    WITH ORDINALITY AS result (created_at, monitor_pk, detail_pk, status, timings, place)
  ORDER BY place
  RETURNING pk`;

const COLUMNS = ["createdAt", "monitorPk", "detailPk", "status", "timings"] as const;

type NewResult = Omit<SavedResult, "pk"> & { monitorPk: number };

/** @returns the rows in the order of the results @throws MissingPartition */
export async function saveResults(
  sql: Sql,
  subjects: StoredSubjects<StoredSubject>,
  results: readonly PlannedResult[],
): Promise<SavedResult[]> {
  if (results.length === 0) return [];
  const measured = results.map((result) => {
    const { pk: monitorPk, lastDetail: last } = findSubject(subjects, result.monitorId);
    const { timings, rest } = packMeasured(result);
    const { status, createdAt } = result;
    const row = { monitorPk, status: statusCodes[status], timings, createdAt };
    return { ...row, detail: rest, last };
  });
  const detailPks = await internDetails(sql, measured);
  const rows = measured.map(({ detail: _, last: __, ...row }, at) => ({
    ...row,
    detailPk: detailPks[at] ?? null,
  }));
  const pks = await insert(sql, rows);
  return rows.map((row, at) => ({ ...row, pk: pks[at] ?? 0 }));
}

async function insert(sql: Sql, rows: NewResult[]): Promise<number[]> {
  try {
    const inserted = await sql.query<{ pk: number }>(INSERT, arraysOf(rows, COLUMNS));
    return inserted.map(({ pk }) => pk).sort((one, other) => one - other);
  } catch (error) {
    if (!hasNoPartition(error)) throw error;
    throw new MissingPartition(rows.map(({ createdAt }) => createdAt));
  }
}

/** Only the partitions of the table have constraints. */
function hasNoPartition(error: unknown): boolean {
  const CHECK_VIOLATION = "23514";
  return (error as { code?: unknown }).code === CHECK_VIOLATION;
}
