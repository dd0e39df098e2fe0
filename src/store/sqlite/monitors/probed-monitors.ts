import type { StoredProbedMonitor } from "../../monitors/probed-monitor.ts";
import { type Database, prepared } from "../open.ts";

const COLUMNS = `pk, monitors.organization_pk AS organizationPk, enabled, config ->> '$.interval' AS interval,
  config ->> '$.timeout' AS timeout, locations, updated_at AS updatedAt, blind_since AS blindSince,
  last_result_pk AS lastResultPk, last_result_at AS checkedAt
  FROM monitor_states CROSS JOIN monitors ON monitors.pk = monitor_pk`;

const LIST_PROBED = `SELECT ${COLUMNS}
  WHERE monitor_pk > ? AND enabled AND type <> 'SCHEDULED' AND blind_since IS NULL ORDER BY monitor_pk LIMIT ?`;

const LIST_BLIND = `SELECT ${COLUMNS} WHERE blind_since IS NOT NULL AND monitor_pk > ? ORDER BY monitor_pk LIMIT ?`;

type Row = Omit<StoredProbedMonitor, "enabled" | "locations"> & { enabled: number; locations: string | null };

export function listProbed(
  db: Database,
  { after, limit }: { after: number; limit: number },
): StoredProbedMonitor[] {
  return prepared<Row, [number, number]>(db, LIST_PROBED).all(after, limit).map(monitorOf);
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
