import { sql } from "drizzle-orm";
import type { Memory } from "../../domain/checks/judge.ts";
import type { DownWhen } from "../../domain/locations/location.ts";
import type { PingAccess } from "../../domain/locations/ping-access.ts";
import type { LatestObservation } from "../../domain/locations/place.ts";
import type { Suspicion } from "../../domain/monitors/confirmation.ts";
import type { MonitorConfig, MonitorType } from "../../domain/monitors/monitor.ts";
import type { StoredRhythm } from "../recording/stored-heartbeat.ts";
import type { accountTables } from "./accounts.ts";
import type { Dialect } from "./sqlite-dialect.ts";

export function monitorTables(
  t: Dialect,
  { organizations }: Pick<ReturnType<typeof accountTables>, "organizations">,
) {
  const organizationPk = () =>
    t
      .integer()
      .notNull()
      .references(() => organizations.pk, { onDelete: "cascade" });

  /** The places besides this server from which monitors are checked. */
  const locations = t.table(
    "locations",
    {
      /** Never reused, because rollups refer to it. 0 is this server. */
      pk: t.lastingKey(),
      id: t.text().notNull().unique(),
      organizationPk: organizationPk(),
      name: t.text().notNull(),
      /** SHA-256 of the whole key. */
      keyHash: t.bytes().notNull().unique("locations_key_hash_unique"),
      createdAt: t.time().notNull(),
      /** When its probe last sent a request, and the version of the probe; null before the first request. */
      lastSeenAt: t.time(),
      version: t.text(),
      /** Since when it is silent; null if it is not. */
      silentAt: t.time(),
      /** Since when its network is at fault; null if it is not. */
      atFaultAt: t.time(),
      /** Counts the changes of its work. */
      revision: t.integer().notNull().default(1),
      /** Observations that wait at the probe, and those that became too old to be sent. */
      waiting: t.large().notNull().default(0),
      dropped: t.large().notNull().default(0),
      /** The age of the observations that its probe sends, in milliseconds. */
      lagMs: t.large(),
      /** The database of the probe, and the numbers of the observations that were taken of it: first and last of each range. */
      stream: t.text(),
      acknowledged: t.json().$type<[number, number][]>(),
      /** Previous databases, the latest first, and when one of them last sent observations again. */
      replacedStreams: t.json().$type<string[]>().notNull().default([]),
      streamReturnedAt: t.time(),
      /** Whether its probe may ping; null if it does not say. */
      pingAccess: t.text().$type<PingAccess>(),
    },
    (table) => [t.uniqueIndex("locations_name").on(table.organizationPk, table.name)],
  );

  /** The settings of users. The state that checks change is in `monitor_states` and `location_states`. */
  const monitors = t.table(
    "monitors",
    {
      /** Never reused: rows of a deleted monitor are deleted in the background and must not appear at another monitor. */
      pk: t.lastingKey(),
      id: t.text().notNull().unique(),
      organizationPk: organizationPk(),
      name: t.text().notNull(),
      type: t.text().$type<MonitorType>().notNull(),
      config: t.json().$type<MonitorConfig>().notNull(),
      enabled: t.boolean().notNull(),
      /** How many further checks confirm a change to a worse and to a better group. */
      confirmations: t.integer().notNull().default(0),
      recoveries: t.integer().notNull().default(0),
      /** The numbers of its locations, in the order of their slots; null if only this server checks it. */
      locations: t.json().$type<number[]>(),
      /** Null: more than half of them. */
      downWhen: t.json().$type<DownWhen>(),
      tags: t.json().$type<string[]>().notNull().default([]),
      /** Counts the changes that invalidate a check under way. */
      revision: t.integer().notNull().default(0),
      /** The name under which a configuration file knows it; null if none does. */
      ref: t.text(),
      /** The token of the config, so that it is unique on the server and found fast; null without one. */
      pushToken: t.text(),
      /** Whether this server is to ping for it, so that it is found fast. */
      pingsHere: t.boolean().notNull().default(false),
      createdAt: t.time().notNull(),
      updatedAt: t.time().notNull(),
    },
    (table) => [
      t.index("monitors_organization").on(table.organizationPk),
      t.uniqueIndex("monitors_ref").on(table.organizationPk, table.ref).where(sql`ref IS NOT NULL`),
      t.uniqueIndex("monitors_push_token").on(table.pushToken).where(sql`push_token IS NOT NULL`),
      t.index("monitors_pings_here").on(table.pk).where(sql`pings_here`),
    ],
  );

  /** Which monitors a monitor depends on. */
  const monitorDependencies = t.table(
    "monitor_dependencies",
    {
      monitorPk: t
        .integer()
        .notNull()
        .references(() => monitors.pk, { onDelete: "cascade" }),
      dependsOnPk: t
        .integer()
        .notNull()
        .references(() => monitors.pk, { onDelete: "cascade" }),
    },
    (table) => [
      t.primaryKey({ columns: [table.monitorPk, table.dependsOnPk] }),
      t.index("monitor_dependencies_reverse").on(table.dependsOnPk),
    ],
  );

  /** The monitors of a discovery whose source lacks them (behavior 28.16). */
  const goneMonitors = t.table("gone_monitors", {
    monitorPk: t
      .integer()
      .primaryKey()
      .references(() => monitors.pk, { onDelete: "cascade" }),
    goneAt: t.time().notNull(),
    /** Whether it was enabled when it went. */
    wasEnabled: t.boolean().notNull(),
  });

  /**
   * The state that recordings change: one row for each monitor. In the migration of PostgreSQL, its pages keep free space for the new versions
   * of rows.
   */
  const monitorStates = t.table(
    "monitor_states",
    {
      monitorPk: t
        .integer()
        .primaryKey()
        .references(() => monitors.pk, { onDelete: "cascade" }),
      /** The same as in `monitors`, so that an index counts the statuses of an organization. */
      organizationPk: t.integer().notNull(),
      status: t.statusCode().notNull(),
      /** When the status last changed; null before its first change. */
      statusSince: t.time(),
      /** When the present trouble began, for notifications; null while there is none. A pause does not end it. */
      troubleSince: t.time(),
      /** The open outage, if there is one. A pause ends it. */
      outagePk: t.large(),
      /** Null if nothing is to be probed: a paused or a SCHEDULED monitor. */
      nextCheckAt: t.time(),
      lastResultPk: t.large(),
      /** The latest result as it is stored. On SQLite, its status is null after it was deleted. */
      lastStatus: t.statusCode(),
      lastTimings: t.bytes(),
      lastDetailPk: t.large(),
      lastResultAt: t.time(),
      /** The latency of the latest healthy result, in hundredths of a millisecond; null if it had none. */
      lastGoodLatency: t.large(),
      /** When a SCHEDULED monitor is judged next: it is late, or a run takes too long. */
      deadline: t.time(),
      /** The learned rhythm and the open runs of a SCHEDULED monitor. */
      rhythm: t.json().$type<StoredRhythm>(),
      /** The latest checks, if they differ from the status and do not yet change it. */
      suspicion: t.json().$type<Suspicion>(),
      /** Since when its present config is checked from its present locations; null if only this server checks it. */
      placesSince: t.time(),
      /** The status before all of its locations became silent; null after the next decision. */
      statusBefore: t.statusCode(),
      /** Until when it was checked, if it is blind; null if it is not. See `domain/checks/blindness.ts`. */
      blindSince: t.time(),
      /** The open hour, with the columns of a rollup; all are null without one. See `domain/results/rollup.ts`. */
      openStart: t.integer(),
      openStatus: t.statusCode(),
      openCount: t.integer(),
      openLatencyCount: t.integer(),
      openLatencySum: t.large(),
      openLatencySquares: t.large(),
      openShortest: t.integer(),
      openLongest: t.integer(),
      ...t.onPostgres(() => ({
        /** How many results were of an earlier hour than the previous one: a cache of past hours is valid while this is the same. */
        lateResults: t.integer().notNull().default(0),
        /** The claim of a late job. */
        claim: t.integer().notNull().default(0),
        claimedBy: t.integer(),
        /** The value of `deadline` when it was claimed: another value ends the claim. */
        claimedSlot: t.time(),
        claimedUntil: t.time(),
      })),
    },
    (table) => [
      t.index("monitor_states_status").on(table.organizationPk, table.status),
      // Each monitor has at most one of both times.
      t.partial(t.index("monitor_states_next_check").on(table.nextCheckAt), sql`next_check_at IS NOT NULL`),
      t.partial(t.index("monitor_states_deadline").on(table.deadline), sql`deadline IS NOT NULL`),
      t.index("monitor_states_blind").on(table.organizationPk).where(sql`blind_since IS NOT NULL`),
    ],
  );

  /**
   * The state of a monitor at one location, from one check to the next. Baselines exist for HTTP and TCP monitors:
   * sums of latencies in tenths of a millisecond. Hours are hours since 1970. In the migration this table is WITHOUT
   * ROWID, which drizzle cannot express.
   */
  const locationStates = t.table(
    "location_states",
    {
      monitorPk: t
        .integer()
        .notNull()
        .references(() => monitors.pk, { onDelete: "cascade" }),
      /** 0 is this server. */
      location: t.integer().notNull(),
      memory: t.json().$type<Memory>(),
      baselineCount: t.large().notNull(),
      baselineSum: t.large().notNull(),
      baselineSquares: t.large().notNull(),
      /** The first hour of the baseline. */
      baselineStart: t.integer().notNull(),
      /** The hour of the latest change of the target, and what its rollup contained before; null if there was none. */
      restartHour: t.integer(),
      restartCount: t.large(),
      restartSum: t.large(),
      restartSquares: t.large(),
      /** When the latest check ended, what it saw, and the rest of it. All are null for a monitor that only this server checks. */
      latestAt: t.time(),
      latestStatus: t.statusCode(),
      latest: t.json().$type<Omit<LatestObservation, "at" | "status">>(),
      /** When a check outside of the slots is due; null if none is. Only for other locations than this server. */
      recheckAt: t.time(),
    },
    (table) => [
      t.primaryKey({ columns: [table.monitorPk, table.location] }),
      t
        .index("location_states_latest")
        .on(table.latestStatus, table.location)
        .where(sql`latest_status IS NOT NULL`),
      t
        .index("location_states_recheck")
        .on(table.location, table.recheckAt)
        .where(sql`recheck_at IS NOT NULL`),
    ],
  );

  /** Deleted monitors whose results, rollups, details, outages and deliveries are not all deleted yet. */
  const deletedMonitors = t.table("deleted_monitors", { pk: t.integer().primaryKey() });

  return {
    locations,
    monitors,
    monitorDependencies,
    goneMonitors,
    monitorStates,
    locationStates,
    deletedMonitors,
  };
}
