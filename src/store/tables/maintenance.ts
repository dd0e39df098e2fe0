import { sql } from "drizzle-orm";
import type { Selector } from "../../domain/monitors/selector.ts";
import type { accountTables } from "./accounts.ts";
import type { Dialect } from "./sqlite-dialect.ts";

export function maintenanceTables(
  t: Dialect,
  { organizations }: Pick<ReturnType<typeof accountTables>, "organizations">,
) {
  const organizationPk = () =>
    t
      .integer()
      .notNull()
      .references(() => organizations.pk, { onDelete: "cascade" });

  /** Windows in which changes of the status notify nobody: either one window, or windows that a cron expression starts. */
  const maintenances = t.table(
    "maintenances",
    {
      pk: t.lastingKey(),
      id: t.text().notNull().unique(),
      organizationPk: organizationPk(),
      title: t.text().notNull(),
      message: t.text(),
      selector: t.json().$type<Selector>().notNull(),
      startsAt: t.time(),
      endsAt: t.time(),
      cron: t.text(),
      timezone: t.text(),
      /** Seconds. */
      duration: t.integer(),
      until: t.time(),
      /** IDs of channels, which may be deleted. */
      notifyChannelIds: t.json().$type<string[]>().notNull(),
      /** The run that was ended early, and when: see `MaintenanceTimes`. */
      endedRun: t.time(),
      endedRunAt: t.time(),
      /** The name under which a configuration file knows it; null if none does. */
      ref: t.text(),
      createdAt: t.time().notNull(),
      updatedAt: t.time().notNull(),
    },
    (table) => [
      t.index("maintenances_organization").on(table.organizationPk),
      t.uniqueIndex("maintenances_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
    ],
  );

  /**
   * The windows that began, for their notifications and for reports. Whether a window is open is computed from its
   * maintenance, never read from here.
   */
  const maintenanceRuns = t.table(
    "maintenance_runs",
    {
      pk: t.lastingKey(),
      organizationPk: organizationPk(),
      /** The maintenance may be deleted. */
      maintenanceId: t.text().notNull(),
      title: t.text().notNull(),
      selector: t.json().$type<Selector>().notNull(),
      startsAt: t.time().notNull(),
      /** Null until its end was noticed. */
      endsAt: t.time(),
    },
    (table) => [
      t.uniqueIndex("maintenance_runs_start").on(table.maintenanceId, table.startsAt),
      t.index("maintenance_runs_organization").on(table.organizationPk, table.startsAt),
      t.index("maintenance_runs_open").on(table.maintenanceId).where(sql`ends_at IS NULL`),
    ],
  );

  return { maintenances, maintenanceRuns };
}
