import { sql } from "drizzle-orm";
import type { Claimant } from "../../engine-queries.ts";
import type { DueMonitor, Slot } from "../../monitors/due-monitor.ts";
import { statusOfCode } from "../../status-codes.ts";
import { type Database, prepared } from "../open.ts";
import { monitorStates } from "../schema.ts";

/** The index contains both columns, so no row is read. */
const LIST_DUE = `SELECT monitor_pk AS pk, next_check_at AS nextCheckAt FROM monitor_states
  WHERE next_check_at < ? ORDER BY next_check_at`;

export function listDueSlots(db: Database, _by: Claimant, { before }: { before: number }): Slot[] {
  return prepared<Slot, [number]>(db, LIST_DUE).all(before);
}

const FIND_DUE = `SELECT monitors.pk, monitors.id, monitors.type, monitors.config, monitor_states.status,
    monitors.revision, monitor_states.next_check_at AS nextCheckAt, 0 AS claim
  FROM monitors JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  WHERE monitors.pk = ? AND monitor_states.next_check_at = ?`;

type Row = Omit<DueMonitor, "config" | "status"> & { config: string; status: number };

export function claimChecks(db: Database, slots: readonly Slot[]): DueMonitor[] {
  const find = prepared<Row, [number, number]>(db, FIND_DUE);
  const rows = slots.flatMap(({ pk, nextCheckAt }) => find.all(pk, nextCheckAt));
  return rows.map((row) => ({ ...row, config: JSON.parse(row.config), status: statusOfCode(row.status) }));
}

export function recallChecks(db: Database, now: number): number {
  const interval = sql`(SELECT config ->> 'interval' FROM monitors WHERE pk = ${monitorStates.monitorPk})`;
  const tooLate = sql`${monitorStates.nextCheckAt} > ${now} + ${interval} * 1000`;
  const pk = monitorStates.monitorPk;
  return db.update(monitorStates).set({ nextCheckAt: now }).where(tooLate).returning({ pk }).all().length;
}
