import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { bucketsOf, history, seenIn } from "../../../domain/results/history.ts";
import type { Range } from "../../../domain/results/range.ts";
import { hourOf } from "../../../domain/results/rollup.ts";
import { uptime } from "../../../domain/results/uptime.ts";
import type { UptimeAndHistory } from "../../monitors/monitor-lists.ts";
import { type NinetyDays, planNinetyDays, settledDays, withLatestDays } from "../../results/ninety-days.ts";
import { HOUR, type RollupUnit } from "../../results/rollup-unit.ts";
import type { Sql } from "../connections.ts";
import { COUNTS, NEVER, readCounts } from "./counts.ts";
import type { RollupCache, Version } from "./rollup-cache.ts";

/** A monitor with its latest rollups, as texts for `readCounts`: `LATEST_COUNTS`. */
export interface MonitorWithCounts extends Version {
  type: MonitorType;
  days: string | null;
  hours: string | null;
}

/** Columns for a statement that has `MONITOR_COLUMNS` and, as $2 and $3, the parameters of `PastReader`. */
export const LATEST_COUNTS = `late_results AS "lateResults", last_result_pk AS "lastResultPk",
  (SELECT ${COUNTS} FROM daily_rollups WHERE monitor_pk = monitors.pk AND start >= $2) AS days,
  (SELECT ${COUNTS} FROM hourly_rollups WHERE monitor_pk = monitors.pk AND start >= $3) AS hours`;

/** A reader of uptime and history for batches of monitors. */
export interface PastReader {
  /** The starts of the latest days and hours, in hours since 1970. */
  parameters: [days: number, hours: number];
  read(sql: Sql, some: MonitorWithCounts[]): Promise<(monitor: MonitorWithCounts) => UptimeAndHistory>;
}

/** Reads the days before yesterday, and the hours before the previous one, once an hour, and the later ones each time. */
export function pastReader(cache: RollupCache, range: Range, now: number): PastReader {
  const plan = planNinetyDays(now);
  const buckets = bucketsOf(range, now);
  const isHourly = unitOf(range) === "hourly";
  const stretches = {
    days: { since: plan.hours.since, until: plan.days.until },
    hours: { since: buckets[0]?.start ?? now, until: hourOf(now) - HOUR },
  };

  return {
    parameters: [stretches.days.until / HOUR, isHourly ? stretches.hours.until / HOUR : NEVER],
    async read(sql, some) {
      const days = await cache.get({ subject: "90 days", stretch: stretches.days }, some, (pks) =>
        readSettledDays(sql, pks),
      );
      const seen = isHourly
        ? await cache.get({ subject: `seen ${range}`, stretch: stretches.hours }, some, (pks) =>
            readSettledHours(sql, pks),
          )
        : undefined;
      return (monitor) => {
        const ninetyDays = withLatestDays(plan, days.get(monitor.pk), readCounts(monitor.days));
        const inRange = seen
          ? seenIn(buckets, readCounts(monitor.hours), seen.get(monitor.pk))
          : ninetyDays.seen.subarray(-buckets.length);
        return { uptime: uptime(ninetyDays.counts), history: history(buckets, monitor.type, inRange) };
      };
    },
  };

  async function readSettledDays(sql: Sql, monitorPks: number[]): Promise<Map<number, NinetyDays>> {
    const { hours, days } = plan;
    const stretch = [hours.since, hours.until, days.since, days.until].map((time) => time / HOUR);
    const rows = await sql.query<{ pk: number; hours: string | null; days: string | null }>(SETTLED_DAYS, [
      monitorPks,
      ...stretch,
    ]);
    return new Map(
      rows.map((row) => [
        row.pk,
        settledDays(plan, { hours: readCounts(row.hours), days: readCounts(row.days) }),
      ]),
    );
  }

  async function readSettledHours(sql: Sql, monitorPks: number[]): Promise<Map<number, Uint32Array>> {
    const { since, until } = stretches.hours;
    const rows = await sql.query<{ pk: number; hours: string | null }>(SETTLED_HOURS, [
      monitorPks,
      since / HOUR,
      until / HOUR,
    ]);
    return new Map(rows.map(({ pk, hours }) => [pk, seenIn(buckets, readCounts(hours))]));
  }
}

const SETTLED_DAYS = `SELECT pk,
    (SELECT ${COUNTS} FROM hourly_rollups WHERE monitor_pk = pk AND start >= $2 AND start < $3) AS hours,
    (SELECT ${COUNTS} FROM daily_rollups WHERE monitor_pk = pk AND start >= $4 AND start < $5) AS days
  FROM unnest($1::integer[]) AS pk`;

const SETTLED_HOURS = `SELECT pk,
    (SELECT ${COUNTS} FROM hourly_rollups WHERE monitor_pk = pk AND start >= $2 AND start < $3) AS hours
  FROM unnest($1::integer[]) AS pk`;

export function unitOf(range: Range): RollupUnit {
  return range === "1d" || range === "7d" ? "hourly" : "daily";
}
