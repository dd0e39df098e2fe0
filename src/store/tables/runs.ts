import type { RunEnd } from "../../domain/heartbeats/job-runs.ts";
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
