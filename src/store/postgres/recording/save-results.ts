import type { PlannedResult } from "../../../domain/monitors/recording-plan.ts";
import { findSubject, type StoredSubjects } from "../../recording/stored-subject.ts";
import { packMeasured } from "../../results/measured.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import { MissingPartition } from "../partitions.ts";
import { internDetails } from "../results/details.ts";
import { arraysOf } from "../values.ts";
import type { StoredSubject } from "./load-subjects.ts";

/** A result with the values of its row. */
export interface SavedResult {
  pk: number;
  monitorPk: number;
  /** Status code. */
  status: number;
  timings: Uint8Array | null;
  detailPk: number | null;
  createdAt: number;
  /** Whether it is not the latest result of its monitor. */
  isLate: boolean;
}

/** Inserted in the order of the arrays, so that the numbers are in this order too. */
const INSERT = `INSERT INTO check_results (created_at, monitor_pk, detail_pk, status, timings)
  SELECT created_at, monitor_pk, detail_pk, status, timings
  FROM unnest($1::bigint[], $2::integer[], $3::bigint[], $4::smallint[], $5::bytea[])
    WITH ORDINALITY AS result (created_at, monitor_pk, detail_pk, status, timings, place)
  ORDER BY place
  RETURNING pk`;

const COLUMNS = ["createdAt", "monitorPk", "detailPk", "status", "timings"] as const;

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
    const { status, createdAt, isLate } = result;
    const row = { monitorPk, status: statusCodes[status], timings, createdAt, isLate };
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

async function insert(sql: Sql, rows: Omit<SavedResult, "pk">[]): Promise<number[]> {
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

const INSERT_CHANGES = `INSERT INTO status_changes (result_pk, organization_pk, monitor_pk, previous_status, created_at)
  SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::smallint[], $5::bigint[])`;

const CHANGE_COLUMNS = ["resultPk", "organizationPk", "monitorPk", "previousStatus", "createdAt"] as const;

/** Saves which results changed the status of their monitor. @param resultPks their numbers */
export async function saveStatusChanges(
  sql: Sql,
  { subjects, resultPks }: { subjects: StoredSubjects; resultPks: readonly number[] },
  results: readonly PlannedResult[],
): Promise<void> {
  const rows = results.flatMap(({ monitorId, previousStatus, createdAt }, at) => {
    if (previousStatus === null) return [];
    const { pk: monitorPk, organizationPk } = findSubject(subjects, monitorId);
    const code = statusCodes[previousStatus];
    return [{ resultPk: resultPks[at] ?? 0, organizationPk, monitorPk, previousStatus: code, createdAt }];
  });
  if (rows.length > 0) await sql.query(INSERT_CHANGES, arraysOf(rows, CHANGE_COLUMNS));
}
