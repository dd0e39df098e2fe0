import type { StoredProbedMonitor } from "../../monitors/probed-monitor.ts";
import { type Database, prepared } from "../open.ts";

const COLUMNS = `pk, monitors.organization_pk AS organizationPk, enabled, config ->> '$.interval' AS interval,
  config ->> '$.timeout' AS timeout, locations, updated_at AS updatedAt, blind_since AS blindSince,
  last_result_pk AS lastResultPk,
  (SELECT created_at FROM check_results WHERE check_results.pk = last_result_pk) AS checkedAt
  FROM monitor_states CROSS JOIN monitors ON monitors.pk = monitor_pk`;

const LIST_PROBED = `SELECT ${COLUMNS}
  WHERE monitor_pk > ? AND enabled AND type <> 'SCHEDULED' AND blind_since IS NULL ORDER BY monitor_pk LIMIT ?`;

const LIST_BLIND = `SELECT ${COLUMNS} WHERE blind_since IS NOT NULL AND monitor_pk > ? ORDER BY monitor_pk LIMIT ?`;

type Row = Omit<StoredProbedMonitor, "enabled" | "locations"> & { enabled: number; locations: string | null };

/** No result is deleted earlier; milliseconds (behavior 6.8). */
const DELETED_AFTER = 24 * 60 * 60 * 1000;

export function listProbed(
  db: Database,
  { after, limit, now }: { after: number; limit: number; now: number },
): StoredProbedMonitor[] {
  return prepared<Row, [number, number]>(db, LIST_PROBED)
    .all(after, limit)
    .map((row) => {
      const deletedAt = row.lastResultPk === null ? null : now - DELETED_AFTER;
      return { ...monitorOf(row), checkedAt: row.checkedAt ?? deletedAt };
    });
}

export function listBlind(
  db: Database,
  { after, limit }: { after: number; limit: number },
): StoredProbedMonitor[] {
  return prepared<Row, [number, number]>(db, LIST_BLIND).all(after, limit).map(monitorOf);
}

function monitorOf(row: Row): StoredProbedMonitor {
  const locations = row.locations === null ? null : JSON.parse(row.locations);
  return { ...row, enabled: row.enabled !== 0, locations };
}
