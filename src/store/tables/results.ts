import { sql } from "drizzle-orm";
import type { Layer } from "../../domain/evidence/evidence.ts";
import type { Dialect } from "./sqlite-dialect.ts";

export function resultTables(t: Dialect) {
  /**
   * One row for each check. Keep it small: this is the table that grows. On PostgreSQL, the migration partitions it by the day of
   * `created_at`, which drizzle cannot express: expired days are dropped, which costs nothing. There `pk` comes from the sequence
   * `check_results_pk`. It is unique, but has only a BRIN index: a btree would be a third of the space.
   */
  const checkResults = t.table(
    "check_results",
    {
      /** Never reused, so that the ID of a deleted result still works as a cursor. */
      pk: t.resultKey(),
      /** The monitor may be deleted: see `deletedMonitors`. */
      monitorPk: t.integer().notNull(),
      status: t.statusCode().notNull(),
      /** See `timings.ts`. */
      timings: t.bytes(),
      /** Anything that few results have, such as a location other than this server, belongs there: a column costs a byte a row. */
      detailPk: t.large(),
      createdAt: t.time().notNull(),
    },
    (table) => [
      t.index("check_results_monitor").on(table.monitorPk, table.status),
      ...t.keyRanges("check_results_pk_brin", table.pk),
    ],
  );

  /**
   * Older results of one monitor, packed (`docs/result-segments.md`). Segments of a monitor do not overlap, except by a day on
   * PostgreSQL. All results of a segment are of one UTC day. On SQLite their results have smaller numbers than the rows of the
   * monitor in `check_results`, and in the migration this table is WITHOUT ROWID, which drizzle cannot express. On PostgreSQL the
   * migration partitions it by the day of `first_at`: see `packed_days`.
   */
  const resultSegments = t.table(
    "result_segments",
    {
      /** The monitor may be deleted: see `deletedMonitors`. */
      monitorPk: t.integer().notNull(),
      firstPk: t.large().notNull(),
      lastPk: t.large().notNull(),
      /** The earliest and the latest time of its results. */
      firstAt: t.time().notNull(),
      lastAt: t.time().notNull(),
      /** A bit for the code of each status. */
      statuses: t.integer().notNull(),
      count: t.integer().notNull(),
      data: t.bytes().notNull(),
    },
    (table) =>
      t.isPostgres
        ? [t.index("result_segments_monitor").on(table.monitorPk, table.firstPk)]
        : [
            t.primaryKey({ columns: [table.monitorPk, table.firstPk] }),
            t.index("result_segments_age").on(table.lastAt),
            /** Segments with other statuses than `up`, `active`, `present` and `ok`. */
            t
              .index("result_segments_unusual")
              .on(table.lastPk, table.statuses)
              .where(sql`statuses & ~2322 <> 0`),
          ],
  );

  /** Observations without their timings: one row for all results of a monitor with the same text. */
  const details = t.table(
    "details",
    {
      /** The results of a slow target have a new detail each, and each day takes a number for every detail in use. */
      pk: t.largeKey(),
      monitorPk: t.integer().notNull(),
      /** The first 16 bytes of the SHA-256 of the text. */
      hash: t.bytes().notNull(),
      /** JSON. */
      text: t.text().notNull(),
      /** When a result last referred to it; updated once a day. */
      usedAt: t.time().notNull(),
    },
    (table) => [t.uniqueIndex("details_hash").on(table.monitorPk, table.hash)],
  );

  /*
   * The results of an hour or a day: one row for each monitor, location and status. Latencies are in tenths of a
   * millisecond. In the migration these tables are WITHOUT ROWID, which drizzle cannot express: it saves a third of their
   * space.
   */
  const rollupColumns = () => ({
    monitorPk: t.integer().notNull(),
    /** Hours since 1970. */
    start: t.integer().notNull(),
    location: t.small().notNull(),
    status: t.statusCode().notNull(),
    count: t.integer().notNull(),
    /** Results that count in the latencies: those with a latency whose status does not lower the uptime. */
    latencyCount: t.integer().notNull(),
    latencySum: t.large().notNull(),
    latencySquares: t.large().notNull(),
    shortest: t.integer(),
    longest: t.integer(),
  });

  const hourlyRollups = t.table("hourly_rollups", rollupColumns(), (table) => [
    t.primaryKey({ columns: [table.monitorPk, table.start, table.location, table.status] }),
  ]);

  const dailyRollups = t.table("daily_rollups", rollupColumns(), (table) => [
    t.primaryKey({ columns: [table.monitorPk, table.start, table.location, table.status] }),
  ]);

  /**
   * Hours in a row that all have hourly rollups: the hours without results are between them. They do not overlap, and are together all
   * hours of `hourly_rollups`: a trigger of that table, in the migration, adds each new hour, and housekeeping cuts off what it
   * deletes. On SQLite this table is WITHOUT ROWID.
   */
  const hourRuns = t.table(
    "hour_runs",
    {
      monitorPk: t.integer().notNull(),
      /** Hours since 1970, as `last`, which is of the run too. */
      first: t.integer().notNull(),
      last: t.integer().notNull(),
    },
    (table) => [t.primaryKey({ columns: [table.monitorPk, table.first] })],
  );

  /**
   * All reads use these views of the rollups and of the open hours of `monitor_states`. They may have two rows for one hour or
   * day, location and status.
   */
  const hourlyTotals = t.view("hourly_totals", rollupColumns()).as(sql.raw(TOTALS.hourly));
  const dailyTotals = t.view("daily_totals", rollupColumns()).as(sql.raw(TOTALS.daily));

  /** The results whose status differs from the one before. */
  const statusChanges = t.table(
    "status_changes",
    {
      resultPk: t.large().primaryKey(),
      organizationPk: t.integer().notNull(),
      monitorPk: t.integer().notNull(),
      previousStatus: t.statusCode().notNull(),
      /** When the result was made. */
      createdAt: t.time().notNull(),
      /** The rest of the result. PostgreSQL finds it by its time. */
      ...t.onSqlite(() => ({ status: t.statusCode().notNull(), timings: t.bytes(), detailPk: t.large() })),
    },
    (table) => [
      t.index("status_changes_page").on(...t.inOrder(table.organizationPk, table.resultPk)),
      t.index("status_changes_monitor").on(table.monitorPk),
      // SQLite deletes the rows of a result by its number.
      ...(t.isPostgres ? [t.index("status_changes_age").on(table.createdAt)] : []),
    ],
  );

  /** Stretches in which a monitor was in group warning or down. */
  const outages = t.table(
    "outages",
    {
      pk: t.largeKey(),
      id: t.text().notNull().unique(),
      /** The monitor may be deleted: see `deletedMonitors`. */
      monitorPk: t.integer().notNull(),
      startedAt: t.time().notNull(),
      /** Null while it continues. */
      endedAt: t.time(),
      /** The worst status so far. */
      status: t.statusCode().notNull(),
      /** The reason of the first result. */
      reason: t.text(),
      /** The first result with a status of trouble; it may be deleted. */
      resultPk: t.large().notNull(),
      organizationPk: t.integer().notNull().default(0),
      /** All three are null if it is not acknowledged; `note` may be null if it is. */
      acknowledgedAt: t.time(),
      acknowledgedBy: t.text(),
      note: t.text(),
      /** The ID of the maintenance in whose window it began, which may be deleted; null if it began in none. */
      maintenanceId: t.text(),
      /** Copied from the first result. */
      timings: t.bytes(),
      detailPk: t.large(),
    },
    (table) => [
      t.index("outages_monitor").on(table.monitorPk, table.startedAt),
      t.index("outages_page").on(...t.inOrder(table.organizationPk, table.pk)),
      t.index("outages_open").on(table.organizationPk).where(sql`ended_at IS NULL`),
    ],
  );

  /** The stretches of an outage in which its monitor was in group down. */
  const outageDowns = t.table(
    "outage_downs",
    {
      outagePk: t
        .large()
        .notNull()
        .references(() => outages.pk, { onDelete: "cascade" }),
      startedAt: t.time().notNull(),
      /** Null if it lasts until the end of the outage. */
      endedAt: t.time(),
    },
    (table) => [t.primaryKey({ columns: [table.outagePk, table.startedAt] })],
  );

  /** The evidence of checks that failed, one row for each (behavior 22). */
  const evidence = t.table(
    "evidence",
    {
      /** Never reused, so that the position of a deleted one still works as a cursor. */
      pk: t.largeLastingKey(),
      id: t.text().notNull().unique(),
      organizationPk: t.integer().notNull(),
      /** The monitor may be deleted: see `deletedMonitors`. */
      monitorPk: t.integer().notNull(),
      /** Null if it belongs to no outage, or to one that was deleted since. */
      outagePk: t.large().references(() => outages.pk, { onDelete: "set null" }),
      /** 0 is this server. */
      location: t.integer().notNull(),
      /** When its check ended. */
      at: t.time().notNull(),
      /** The status that the check saw, and its reason. */
      status: t.statusCode().notNull(),
      reason: t.text(),
      layer: t.text().$type<Layer>().notNull(),
      summary: t.text().notNull(),
      /** See `recording/evidence-rows.ts`; null if there was too much at once. */
      data: t.bytes(),
    },
    (table) => [
      t.index("evidence_monitor").on(table.monitorPk, table.at),
      t.index("evidence_outage").on(table.outagePk).where(sql`outage_pk IS NOT NULL`),
    ],
  );

  return {
    evidence,
    checkResults,
    resultSegments,
    details,
    hourlyRollups,
    dailyRollups,
    hourRuns,
    hourlyTotals,
    dailyTotals,
    statusChanges,
    outages,
    outageDowns,
  };
}

/** Location 0 is this server. */
const totalsOf = (
  rollups: string,
  openStart: string,
) => `SELECT monitor_pk, start, location, status, count, latency_count, latency_sum, latency_squares, shortest, longest
  FROM ${rollups}
UNION ALL
SELECT monitor_pk, ${openStart}, CAST(0 AS smallint), open_status, open_count,
    open_latency_count, open_latency_sum, open_latency_squares, open_shortest, open_longest
  FROM monitor_states WHERE open_start IS NOT NULL`;

/** A day begins at a multiple of 24 hours. SQLite looks into the view only if both parts of it have columns of the same type. */
const TOTALS = {
  hourly: totalsOf("hourly_rollups", "open_start"),
  daily: totalsOf("daily_rollups", "CAST(open_start / 24 * 24 AS integer)"),
};
