import type { Monitor, MonitorType } from "../../../domain/monitors/monitor.ts";
import { bucketsOf, history, seenIn } from "../../../domain/results/history.ts";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import { dayOf, hourOf } from "../../../domain/results/rollup.ts";
import { uptime } from "../../../domain/results/uptime.ts";
import { organizationPk } from "../../accounts/organizations.ts";
import type { StoredPlacement } from "../../locations/monitor-locations.ts";
import { type KnownPlaces, placesFor, withPlacement } from "../../locations/watch.ts";
import type { EnrichedMonitor, LatestResult, UptimeAndHistory } from "../../monitors/monitor-report.ts";
import { HOUR } from "../../results/hour-columns.ts";
import {
  type NinetyDays,
  planNinetyDays,
  settledDays,
  unpackTimings,
  withLatestDays,
} from "../../results/timings.ts";
import { COUNTS, readCounts, unitOf } from "../../statistics/worst-monitors.ts";
import { statusOfCode } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import { listDays } from "../results/day-partitions.ts";
import type { RollupCache, Version } from "./monitor-snapshots.ts";

/** Columns of a `MonitorVersion`, besides `MONITOR_COLUMNS`. */
export const VERSION_COLUMNS = `late_results AS "lateResults", last_result_pk AS "lastResultPk"`;

export interface MonitorVersion extends Version {
  type: MonitorType;
}

/** Reads uptime and history for a batch of monitors. */
type PastReader = (
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

/** The columns of a monitor and its latest result, of `monitors` joined with `monitor_states`. */
export const MONITOR_COLUMNS = `monitors.pk, monitors.id, name, type, config, status, enabled, confirmations, recoveries, tags,
  ARRAY(SELECT causes.id FROM monitor_dependencies JOIN monitors AS causes ON causes.pk = depends_on_pk
    WHERE monitor_dependencies.monitor_pk = monitors.pk ORDER BY causes.pk) AS "dependsOn",
  locations, down_when AS "downWhen", ref, blind_since AS "blindSince",
  created_at AS "createdAt", updated_at AS "updatedAt",
  last_status AS "lastStatus", last_timings AS "lastTimings", last_result_at AS "lastResultAt"`;

const LIST = `SELECT ${MONITOR_COLUMNS}, ${VERSION_COLUMNS}
  FROM monitors JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  WHERE monitors.pk = ANY($1) AND ($2::text IS NULL OR type = $2) AND ($3::text IS NULL OR tags::jsonb ? $3)
  ORDER BY monitors.pk`;

export async function* listMonitors(
  sql: Sql,
  cache: RollupCache,
  organizationId: string,
  { type, tag, range }: { type: MonitorType | undefined; tag?: string | undefined; range: Range },
  now: number,
): AsyncGenerator<EnrichedMonitor[]> {
  const since = rangeStart(range, now);
  const readPasts = pastReader(cache, range, now);
  const isKept = await findKept(sql);
  for await (const pks of monitorSlices(sql, organizationId)) {
    const rows = await sql.query<MonitorRow & MonitorVersion>(LIST, [pks, type ?? null, tag ?? null]);
    const pastOf = await readPasts(sql, rows);
    const places = await placesFor(sql, organizationId, rows);
    yield rows.map((row) => {
      const latest = latestOf(row, isKept);
      const latestResult = latest && latest.createdAt >= since ? latest : null;
      return { ...monitorOf(row, places), latestResult, ...pastOf(row) };
    });
  }
}

export type MonitorRow = Omit<Monitor, "status" | keyof StoredPlacement> &
  StoredPlacement & {
    pk: number;
    status: number;
    lastStatus: number | null;
    lastTimings: Uint8Array | null;
    lastResultAt: number | null;
  };

export function monitorOf(row: MonitorRow, places: KnownPlaces | undefined): Monitor {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    config: row.config,
    status: statusOfCode(row.status),
    enabled: row.enabled,
    tags: row.tags,
    dependsOn: row.dependsOn,
    confirmations: row.confirmations,
    recoveries: row.recoveries,
    ...withPlacement({ locations: row.locations, downWhen: row.downWhen }, places),
    ref: row.ref,
    blindSince: row.blindSince,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Whether the results of a moment are not deleted. */
export type IsKept = (time: number) => boolean;

export async function findKept(sql: Sql): Promise<IsKept> {
  const { days } = await listDays(sql);
  const kept = new Set(days);
  const [latest = Number.POSITIVE_INFINITY] = days;
  // A later day may have begun since.
  return (time) => kept.has(dayOf(time)) || dayOf(time) > latest;
}

/** The latest result; null if there is none, or if it is deleted. */
export function latestOf(
  { lastStatus, lastTimings, lastResultAt }: MonitorRow,
  isKept: IsKept,
): LatestResult | null {
  if (lastStatus === null || lastResultAt === null || !isKept(lastResultAt)) return null;
  const { latencyMs } = unpackTimings(lastTimings);
  return { status: statusOfCode(lastStatus), latencyMs, createdAt: lastResultAt };
}

/** Monitors in the first slice, so that a list begins soon. */
const FIRST = 50;

/** Monitors in a later slice. Larger slices finish sooner, but block other requests longer. */
const MOST = 200;

/**
 * The internal numbers of the monitors that an organization has at the start, oldest first, in slices. Monitors may be
 * deleted before their slice is yielded.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function* monitorSlices(sql: Sql, organizationId: string): AsyncGenerator<number[]> {
  const organization = await organizationPk(sql, organizationId);
  const [row] = await sql.query<{ pks: number[] }>(
    "SELECT coalesce(json_agg(pk ORDER BY pk), '[]') AS pks FROM monitors WHERE organization_pk = $1",
    [organization],
  );
  yield* inSlices(row?.pks ?? []);
}

export function* inSlices<Item>(items: Item[]): Generator<Item[]> {
  for (let at = 0, size = FIRST; at < items.length; at += size, size = MOST) yield items.slice(at, at + size);
}
