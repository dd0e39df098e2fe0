import type { PlannedResult } from "../../../domain/monitors/recording-plan.ts";
import { findSubject, type StoredSubjects } from "../../recording/stored-subject.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, prepared } from "../open.ts";

const INSERT = `INSERT INTO status_changes (result_pk, organization_pk, monitor_pk, previous_status, created_at)
  VALUES (?, ?, ?, ?, ?)`;

/** Saves which results changed the status of their monitor. @param resultPks their numbers */
export function saveStatusChanges(
  db: Database,
  { subjects, resultPks }: { subjects: StoredSubjects; resultPks: readonly number[] },
  results: readonly PlannedResult[],
): void {
  for (const [at, { monitorId, previousStatus, createdAt }] of results.entries()) {
    if (previousStatus === null) continue;
    const { pk, organizationPk } = findSubject(subjects, monitorId);
    prepared(db, INSERT).run(resultPks[at] ?? 0, organizationPk, pk, statusCodes[previousStatus], createdAt);
  }
}
