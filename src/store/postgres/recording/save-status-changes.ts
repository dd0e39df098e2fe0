import type { PlannedResult } from "../../../domain/monitors/recording-plan.ts";
import { findSubject, type StoredSubjects } from "../../recording/stored-subject.ts";
import { statusCodes } from "../../status-codes.ts";
import { arraysOf } from "../arrays.ts";
import type { Sql } from "../connections.ts";

const INSERT = `INSERT INTO status_changes (result_pk, organization_pk, monitor_pk, previous_status, created_at)
  SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::smallint[], $5::bigint[])`;

const COLUMNS = ["resultPk", "organizationPk", "monitorPk", "previousStatus", "createdAt"] as const;

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
  if (rows.length > 0) await sql.query(INSERT, arraysOf(rows, COLUMNS));
}
