import type { Status } from "../../../domain/monitors/status.ts";
import type { ChangedResult } from "../../results/event-filter.ts";
import type { Source } from "../../results/result-items.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Database } from "../open.ts";

const LIST = `SELECT status_changes.result_pk AS pk, status_changes.previous_status AS previousStatus
  FROM status_changes CROSS JOIN check_results ON check_results.pk = status_changes.result_pk
  WHERE status_changes.organization_pk = ?1 AND status_changes.result_pk < ?2
    AND status_changes.monitor_pk IN (SELECT value FROM json_each(?3)) AND (?4 IS NULL OR check_results.status = ?4)
  ORDER BY status_changes.result_pk DESC LIMIT ?5`;

/** The newest results that changed the status of one of some monitors, newest first. */
export function listChangedResults(
  db: Database,
  {
    organizationPk,
    sources,
    status,
  }: { organizationPk: number; sources: Source[]; status: Status | undefined },
  { before, limit }: { before: number; limit: number },
): ChangedResult[] {
  const pks = JSON.stringify(sources.map(({ pk }) => pk));
  return db.$client
    .query<ChangedResult, [number, number, string, number | null, number]>(LIST)
    .all(organizationPk, before, pks, status === undefined ? null : statusCodes[status], limit);
}
