import type { StoredProbedMonitor } from "../../monitors/probed-monitor.ts";
import type { Sql } from "../../tx.ts";
import { CONFIG } from "./config-json.ts";

const COLUMNS = `pk, monitors.organization_pk AS "organizationPk", enabled,
  (${CONFIG} ->> 'interval')::float8 AS interval, (${CONFIG} ->> 'timeout')::float8 AS timeout, locations,
  updated_at AS "updatedAt", blind_since AS "blindSince", last_result_pk AS "lastResultPk",
  last_result_at AS "checkedAt"
  FROM monitor_states JOIN monitors ON monitors.pk = monitor_pk`;

const LIST_PROBED = `SELECT ${COLUMNS}
  WHERE monitor_pk > $1 AND enabled AND type <> 'SCHEDULED' AND blind_since IS NULL ORDER BY monitor_pk LIMIT $2`;

const LIST_BLIND = `SELECT ${COLUMNS} WHERE blind_since IS NOT NULL AND monitor_pk > $1 ORDER BY monitor_pk LIMIT $2`;

export async function listProbed(
  { query }: Sql,
  { after, limit }: { after: number; limit: number },
): Promise<StoredProbedMonitor[]> {
  return query<StoredProbedMonitor>(LIST_PROBED, [after, limit]);
}

export async function listBlind(
  { query }: Sql,
  { after, limit }: { after: number; limit: number },
): Promise<StoredProbedMonitor[]> {
  return query<StoredProbedMonitor>(LIST_BLIND, [after, limit]);
}
