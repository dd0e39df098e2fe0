import { eq, sql } from "drizzle-orm";
import type { DueMonitor, Slot } from "../../monitors/due-monitor.ts";
import { oncePerDatabase } from "../once-per-database.ts";
import type { Database } from "../open.ts";
import { monitorStates, monitors } from "../schema.ts";

export function listDueSlots(db: Database, before: number): Slot[] {
  // The index contains both columns, so no row is read.
  const slots = db.$client.query<Slot, [number]>(
    `SELECT monitor_pk AS pk, next_check_at AS nextCheckAt FROM monitor_states
     WHERE next_check_at < ? ORDER BY next_check_at`,
  );
  return slots.all(before);
}

export function findDueMonitors(db: Database, slots: readonly Slot[]): DueMonitor[] {
  const rows = slots.flatMap(({ pk }) => dueMonitor(db).all({ pk }));
  return rows.filter(({ nextCheckAt }) => nextCheckAt !== null) as DueMonitor[];
}

const dueMonitor = oncePerDatabase((db) =>
  db
    .select({
      pk: monitors.pk,
      id: monitors.id,
      type: monitors.type,
      config: monitors.config,
      status: monitorStates.status,
      revision: monitors.revision,
      nextCheckAt: monitorStates.nextCheckAt,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(eq(monitors.pk, sql.placeholder("pk")))
    .prepare(),
);

export function recallChecks(db: Database, now: number): number {
  const interval = sql`(SELECT config ->> 'interval' FROM monitors WHERE pk = ${monitorStates.monitorPk})`;
  const tooLate = sql`${monitorStates.nextCheckAt} > ${now} + ${interval} * 1000`;
  const pk = monitorStates.monitorPk;
  return db.update(monitorStates).set({ nextCheckAt: now }).where(tooLate).returning({ pk }).all().length;
}
