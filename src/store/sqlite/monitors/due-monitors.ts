import { sql } from "drizzle-orm";
import type { Claimant } from "../../engine-queries.ts";
import type { DueMonitor, Slot } from "../../monitors/related-monitors.ts";
import { statusOfCode } from "../../status-codes.ts";
import { type Database, prepared } from "../database.ts";
import { monitorStates, monitors } from "../schema.ts";

/** The index contains both columns, so no row is read. */
const LIST_DUE = `SELECT monitor_pk AS pk, next_check_at AS nextCheckAt FROM monitor_states
  WHERE (next_check_at, monitor_pk) > (?, ?) AND next_check_at < ? ORDER BY next_check_at, monitor_pk LIMIT ?`;

export function listDueSlots(
  db: Database,
  _by: Claimant,
  { before, page: { after, limit } = EVERYTHING }: { before: number; page?: { after: Slot; limit: number } },
): Slot[] {
  const list = prepared<Slot, [number, number, number, number]>(db, LIST_DUE);
  return list.all(after.nextCheckAt, after.pk, before, limit);
}

/** SQLite takes a negative limit for none. */
const EVERYTHING = { after: { nextCheckAt: -1, pk: 0 }, limit: -1 };

/** One statement for all: one for each slot takes seven times as long. The rows are in the order of the list, its outer loop. */
const FIND_DUE = `SELECT wanted.key AS place, monitors.pk, monitors.id, monitors.type, monitors.config,
    monitor_states.status, monitors.revision, monitor_states.next_check_at AS nextCheckAt
  FROM json_each(?) AS wanted
  CROSS JOIN monitor_states ON monitor_states.monitor_pk = wanted.value
  CROSS JOIN monitors ON monitors.pk = monitor_states.monitor_pk`;

type Row = Omit<DueMonitor, "config" | "status" | "claim"> & {
  place: number;
  config: string;
  status: number;
};

export function claimChecks(db: Database, slots: readonly Slot[]): DueMonitor[] {
  if (slots.length === 0) return [];
  const pks = JSON.stringify(slots.map(({ pk }) => pk));
  const claimed: DueMonitor[] = [];
  for (const row of prepared<Row, [string]>(db, FIND_DUE).all(pks)) {
    const { place, pk, id, type, revision, nextCheckAt } = row;
    if (nextCheckAt !== slots[place]?.nextCheckAt) continue;
    const [config, status] = [JSON.parse(row.config), statusOfCode(row.status)];
    claimed.push({ pk, id, type, config, status, revision, nextCheckAt, claim: 0 });
  }
  return claimed;
}

export function recallChecks(db: Database, now: number): number {
  const interval = sql`(SELECT config ->> 'interval' FROM monitors WHERE pk = ${monitorStates.monitorPk})`;
  const tooLate = sql`${monitorStates.nextCheckAt} > ${now} + ${interval} * 1000`;
  const pk = monitorStates.monitorPk;
  return db.update(monitorStates).set({ nextCheckAt: now }).where(tooLate).returning({ pk }).all().length;
}

/** The columns of a monitor in the domain, with its locations as they are stored, of `monitors` joined with `monitor_states`. */
export const monitorColumns = {
  id: monitors.id,
  name: monitors.name,
  type: monitors.type,
  config: monitors.config,
  status: monitorStates.status,
  enabled: monitors.enabled,
  tags: monitors.tags,
  dependsOn: sql`(
    SELECT json_group_array(id) FROM (
      SELECT causes.id FROM monitor_dependencies JOIN monitors AS causes ON causes.pk = depends_on_pk
      WHERE monitor_pk = ${monitors.pk} ORDER BY causes.pk))`.mapWith((text): string[] => JSON.parse(text)),
  confirmations: monitors.confirmations,
  recoveries: monitors.recoveries,
  locations: monitors.locations,
  downWhen: monitors.downWhen,
  ref: monitors.ref,
  blindSince: monitorStates.blindSince,
  createdAt: monitors.createdAt,
  updatedAt: monitors.updatedAt,
};
