import { sql } from "drizzle-orm";
import type { RunEnd } from "../../domain/heartbeats/job-runs.ts";
import type { Selector } from "../../domain/monitors/selector.ts";
import type { Language } from "../../domain/pages/reader-locale.ts";
import type { ReportKind, ReportPeriod } from "../../domain/reports/report-mail.ts";
import type { accountTables } from "./accounts.ts";
import type { Dialect } from "./sqlite-dialect.ts";

/**
 * The runs of jobs. Their monitors may be deleted: see `deletedMonitors`. In the migration of SQLite the table of the runs is
 * WITHOUT ROWID, which drizzle cannot express: the runs of a monitor are then side by side.
 */
export function runTables(t: Dialect) {
  const jobRuns = t.table(
    "job_runs",
    {
      monitorPk: t.integer().notNull(),
      /** Counts the runs of the monitor, from 1. */
      number: t.integer().notNull(),
      /** The ID that the job gave it. */
      rid: t.text(),
      /** An output without a start begins and ends when it arrives. */
      startedAt: t.time().notNull(),
      /** Null while it is open, as is the outcome. */
      endedAt: t.time(),
      durationMs: t.large(),
      outcome: t.text().$type<RunEnd>(),
      exitCode: t.small(),
    },
    (table) => [t.primaryKey({ columns: [table.monitorPk, table.number] })],
  );

  /** The outputs of runs: secrets of users, which only one route reads. */
  const runOutputs = t.table(
    "run_outputs",
    {
      monitorPk: t.integer().notNull(),
      number: t.integer().notNull(),
      /** Valid UTF-8. */
      output: t.bytes().notNull(),
    },
    (table) => [t.primaryKey({ columns: [table.monitorPk, table.number] })],
  );

  return { jobRuns, runOutputs };
}

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
      /** Whether the subscribers of public pages are notified when its window is planned, moved or canceled. */
      notifySubscribers: t.boolean().notNull().default(false),
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

export function reportTables(
  t: Dialect,
  { organizations }: Pick<ReturnType<typeof accountTables>, "organizations">,
) {
  /** Reports that go by mail, each once for a period. */
  const reportMails = t.table(
    "report_mails",
    {
      pk: t.lastingKey(),
      id: t.text().notNull().unique(),
      organizationPk: t
        .integer()
        .notNull()
        .references(() => organizations.pk, { onDelete: "cascade" }),
      title: t.text().notNull(),
      kind: t.text().$type<ReportKind>().notNull(),
      selector: t.json().$type<Selector>().notNull(),
      /** IDs of channels, which may be deleted; null with `to`. */
      channelIds: t.json().$type<string[]>(),
      /** Addresses; null with `channelIds`. */
      to: t.json("recipients").$type<string[]>(),
      /** IANA name. */
      timezone: t.text().notNull(),
      /** `HH:MM`. */
      at: t.text("local_time").notNull(),
      language: t.text().$type<Language>().notNull(),
      /** The end of the last period that is done, such as `2026-11-29`. */
      doneUntil: t.text().notNull(),
      nextAt: t.time().notNull(),
      /** The name under which a configuration file knows it; null if none does. */
      ref: t.text(),
      createdAt: t.time().notNull(),
      updatedAt: t.time().notNull(),
    },
    (table) => [
      t.index("report_mails_organization").on(table.organizationPk),
      t.index("report_mails_next").on(table.nextAt),
      t.uniqueIndex("report_mails_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
    ],
  );

  /** The outbox of reports: a row is deleted when its mail is sent or given up. */
  const reportLetters = t.table(
    "report_letters",
    {
      pk: t.lastingKey(),
      /** Part of the `Message-ID`, the same for every attempt. */
      id: t.text().notNull().unique(),
      reportPk: t
        .integer()
        .notNull()
        .references(() => reportMails.pk, { onDelete: "cascade" }),
      /** The address. */
      recipient: t.text().notNull(),
      period: t.json().$type<ReportPeriod>().notNull(),
      attempts: t.integer().notNull().default(0),
      nextAttemptAt: t.time().notNull(),
      createdAt: t.time().notNull(),
    },
    (table) => [
      t.index("report_letters_due").on(table.nextAttemptAt),
      t.index("report_letters_report").on(table.reportPk),
    ],
  );

  return { reportMails, reportLetters };
}
