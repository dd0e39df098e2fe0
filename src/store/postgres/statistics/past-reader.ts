import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { bucketsOf, history, seenIn } from "../../../domain/results/history.ts";
import type { Range } from "../../../domain/results/range.ts";
import { hourOf } from "../../../domain/results/rollup.ts";
import { uptime } from "../../../domain/results/uptime.ts";
import type { UptimeAndHistory } from "../../monitors/monitor-lists.ts";
import { type NinetyDays, planNinetyDays, settledDays, withLatestDays } from "../../results/ninety-days.ts";
import { HOUR } from "../../results/rollup-unit.ts";
import { COUNTS, readCounts, unitOf } from "../../statistics/counts.ts";
import type { Sql } from "../../tx.ts";
import type { RollupCache, Version } from "./rollup-cache.ts";

/** Columns of a `MonitorVersion`, besides `MONITOR_COLUMNS`. */
export const VERSION_COLUMNS = `late_results AS "lateResults", last_result_pk AS "lastResultPk"`;

export interface MonitorVersion extends Version {
  type: MonitorType;
}

/** Reads uptime and history for a batch of monitors. */
export type PastReader = (
  sql: Sql,
  some: MonitorVersion[],
) => Promise<(monitor: MonitorVersion) => UptimeAndHistory>;

interface Past {
  days: NinetyDays;
  /** The statuses of each bucket of a range of hours. */
  seen: Uint32Array | undefined;
}

/**
 * A monitor without a new result is read from the cache. For the others, the days before yesterday and the hours before the
 * previous hour are read once an hour, and later days and hours each time.
 */
export function pastReader(cache: RollupCache, range: Range, now: number): PastReader {
  const plan = planNinetyDays(now);
  const buckets = bucketsOf(range, now);
  const isHourly = unitOf(range) === "hourly";
  const days = { since: plan.hours.since, until: plan.days.until };
  const hours = { since: buckets[0]?.start ?? now, until: hourOf(now) - HOUR };
  // The hour of the moment decides on all buckets.
  const untilNow = { since: days.since, until: Number.MAX_SAFE_INTEGER };

  return async (sql, some) => {
    const pasts = await cache.get({ subject: `until now ${range}`, stretch: untilNow }, some, (missing) =>
      readPasts(sql, missing),
    );
    return ({ pk, type }) => {
      const past = pasts.get(pk);
      const seen = past?.seen ?? past?.days.seen.subarray(-buckets.length) ?? new Uint32Array();
      return { uptime: uptime(past?.days.counts ?? {}), history: history(buckets, type, seen) };
    };
  };

  async function readPasts(sql: Sql, some: Version[]): Promise<Map<number, Past>> {
    const pks = some.map(({ pk }) => pk);
    const settledDays = await cache.get({ subject: "90 days", stretch: days }, some, (missing) =>
      readSettledDays(sql, missing),
    );
    const settledHours = isHourly
      ? await cache.get({ subject: `seen ${range}`, stretch: hours }, some, (missing) =>
          readSettledHours(sql, missing),
        )
      : undefined;
    const latest = isHourly
      ? await sql.query<Counts>(LATEST_WITH_HOURS, [pks, days.until / HOUR, hours.until / HOUR])
      : await sql.query<Counts>(LATEST, [pks, days.until / HOUR]);
    return new Map(
      latest.map((row) => [
        row.pk,
        {
          days: withLatestDays(plan, settledDays.get(row.pk), readCounts(row.days)),
          seen: settledHours && seenIn(buckets, readCounts(row.hours ?? null), settledHours.get(row.pk)),
        },
      ]),
    );
  }

  async function readSettledDays(sql: Sql, some: Version[]): Promise<Map<number, NinetyDays>> {
    const { hours, days } = plan;
    const stretch = [hours.since, hours.until, days.since, days.until].map((time) => time / HOUR);
    const rows = await sql.query<Counts>(SETTLED_DAYS, [some.map(({ pk }) => pk), ...stretch]);
    return new Map(
      rows.map(({ pk, hours = null, days }) => [
        pk,
        settledDays(plan, { hours: readCounts(hours), days: readCounts(days) }),
      ]),
    );
  }

  async function readSettledHours(sql: Sql, some: Version[]): Promise<Map<number, Uint32Array>> {
    const stretch = [hours.since, hours.until].map((time) => time / HOUR);
    const rows = await sql.query<Counts>(SETTLED_HOURS, [some.map(({ pk }) => pk), ...stretch]);
    return new Map(rows.map(({ pk, hours = null }) => [pk, seenIn(buckets, readCounts(hours))]));
  }
}

/** The rollups of a monitor, as texts for `readCounts`. */
interface Counts {
  pk: number;
  days: string | null;
  hours?: string | null;
}

const LATEST = `SELECT pk,
    (SELECT ${COUNTS} FROM daily_totals WHERE monitor_pk = pk AND start >= $2) AS days
  FROM unnest($1::integer[]) AS pk`;

const LATEST_WITH_HOURS = `SELECT pk,
    (SELECT ${COUNTS} FROM daily_totals WHERE monitor_pk = pk AND start >= $2) AS days,
    (SELECT ${COUNTS} FROM hourly_totals WHERE monitor_pk = pk AND start >= $3) AS hours
  FROM unnest($1::integer[]) AS pk`;

const SETTLED_DAYS = `SELECT pk,
    (SELECT ${COUNTS} FROM hourly_totals WHERE monitor_pk = pk AND start >= $2 AND start < $3) AS hours,
    (SELECT ${COUNTS} FROM daily_totals WHERE monitor_pk = pk AND start >= $4 AND start < $5) AS days
  FROM unnest($1::integer[]) AS pk`;

const SETTLED_HOURS = `SELECT pk,
    (SELECT ${COUNTS} FROM hourly_totals WHERE monitor_pk = pk AND start >= $2 AND start < $3) AS hours
  FROM unnest($1::integer[]) AS pk`;
