import { eq, sql } from "drizzle-orm";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { type Bucket, bucketsOf, history, seenIn } from "../../../domain/results/history.ts";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import { hourOf, type Stretch } from "../../../domain/results/rollup.ts";
import { type StatusCount, uptime } from "../../../domain/results/uptime.ts";
import { withPlacement } from "../../locations/watch.ts";
import type { EnrichedMonitor, LatestResult, UptimeAndHistory } from "../../monitors/monitor-report.ts";
import {
  HOUR,
  INSERT_INTO,
  type NewRollup,
  ON_CONFLICT,
  ROLLUP_FIELDS,
  type RollupUnit,
  rollupRows,
} from "../../results/hour-columns.ts";
import {
  type NinetyDays,
  planNinetyDays,
  settledDays,
  unpackTimings,
  withLatestDays,
} from "../../results/timings.ts";
import { unitOf } from "../../statistics/worst-monitors.ts";
import { statusOfCode } from "../../status-codes.ts";
import { type Database, oncePerDatabase, oncePerEngine, prepared } from "../database.ts";
import { placesFor } from "../locations/known-places.ts";
import { monitorColumns } from "../monitors/due-monitors.ts";
import { monitorStates, monitors } from "../schema.ts";
import { monitorSlices } from "../slices.ts";

export async function* listMonitors(
  db: Database,
  organizationId: string,
  { type, tag, range }: { type: MonitorType | undefined; tag?: string | undefined; range: Range },
  now: number,
): AsyncGenerator<EnrichedMonitor[]> {
  const since = rangeStart(range, now);
  const readPasts = uptimeAndHistoryReader(db, range, now);
  for await (const pks of monitorSlices(db, organizationId)) {
    const rows = listRows(db)
      .all({ pks: JSON.stringify(pks) })
      .filter((row) => type === undefined || row.type === type)
      .filter(({ tags }) => tag === undefined || tags.includes(tag));
    const pastOf = readPasts(rows);
    const places = placesFor(db, organizationId, rows);
    yield rows.map((row) => {
      const { pk, latest, ...monitor } = row;
      const latestResult = latestOf(latest, since);
      return { ...withPlacement(monitor, places), latestResult, ...pastOf(row) };
    });
  }
}

/** A reader of uptime and history for batches of monitors. */
export function uptimeAndHistoryReader(
  db: Database,
  range: Range,
  now: number,
): (some: { pk: number }[]) => (monitor: { pk: number; type: MonitorType }) => UptimeAndHistory {
  const buckets = bucketsOf(range, now);
  const read = statisticsReader(db, range, now);
  return (some) => {
    const pastOf = read(some.map(({ pk }) => pk));
    return ({ pk, type }) => {
      const { counts, seen } = pastOf(pk);
      return { uptime: uptime(counts), history: history(buckets, type, seen) };
    };
  };
}

const listRows = oncePerDatabase((db) =>
  db
    .select({ pk: monitors.pk, ...monitorColumns, latest: latestColumns })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(sql`${monitors.pk} IN (SELECT value FROM json_each(${sql.placeholder("pks")}))`)
    .orderBy(monitors.pk)
    .prepare(),
);

/** The latest result of a monitor. @property status null if there is none, or if it was deleted */
export const latestColumns = {
  status: monitorStates.lastStatus,
  timings: monitorStates.lastTimings,
  createdAt: monitorStates.lastResultAt,
};

type LatestRow = { [Name in keyof typeof latestColumns]: (typeof latestColumns)[Name]["_"]["data"] | null };

/** A result as lists show it; null if it is older than `since`, in milliseconds since 1970. */
export function latestOf({ status, timings, createdAt }: LatestRow, since = 0): LatestResult | null {
  if (status === null || createdAt === null || createdAt < since) return null;
  return { status, latencyMs: unpackTimings(timings).latencyMs, createdAt };
}

/** A reader of counts and history for batches of monitors. `seen` has one entry for each bucket of the range. */
function statisticsReader(
  db: Database,
  range: Range,
  now: number,
): (monitorPks: number[]) => ByMonitor<NinetyDays> {
  const read = ninetyDaysReader(db, now);
  const buckets = bucketsOf(range, now);
  if (unitOf(range) === "hourly") {
    const readHours = hoursReader(db, { range, buckets }, now);
    return (monitorPks) => {
      const [daysOf, hoursOf] = [read(monitorPks), readHours(monitorPks)];
      return (pk) => ({ counts: daysOf(pk).counts, seen: hoursOf(pk) });
    };
  }
  return (monitorPks) => {
    const daysOf = read(monitorPks);
    return (pk) => {
      const { counts, seen } = daysOf(pk);
      return { counts, seen: seen.subarray(-buckets.length) };
    };
  };
}

/** Reads the hours before the previous one once an hour, and the later ones each time. */
function hoursReader(
  db: Database,
  { range, buckets }: { range: Range; buckets: Bucket[] },
  now: number,
): (monitorPks: number[]) => ByMonitor<Uint32Array> {
  const until = hourOf(now) - HOUR;
  const stretch = { since: buckets[0]?.start ?? until, until };

  function readSettled(monitorPks: number[]): Map<number, Uint32Array> {
    const hours = listCounts(db, "hourly", monitorPks, stretch);
    return new Map(monitorPks.map((pk) => [pk, seenIn(buckets, hours.get(pk) ?? [])]));
  }

  return (monitorPks) => {
    const settled = rollupCacheOf(db).get({ subject: `seen ${range}`, stretch, monitorPks }, readSettled);
    const latest = listCounts(db, "hourly", monitorPks, { since: until });
    return (pk) => seenIn(buckets, latest.get(pk) ?? [], settled.get(pk));
  };
}

/** Returns the value of a monitor by its internal number. Values are valid until the next write. */
type ByMonitor<Value> = (monitorPk: number) => Value;

/** A reader of the trailing 90 days for batches of monitors. The days before yesterday are read once an hour. */
function ninetyDaysReader(db: Database, now: number): (monitorPks: number[]) => ByMonitor<NinetyDays> {
  const plan = planNinetyDays(now);
  const stretch = { since: plan.hours.since, until: plan.days.until };

  function readSettled(monitorPks: number[]): Map<number, NinetyDays> {
    const hours = listCounts(db, "hourly", monitorPks, plan.hours);
    const days = listCounts(db, "daily", monitorPks, plan.days);
    return new Map(
      monitorPks.map((pk) => [
        pk,
        settledDays(plan, { hours: hours.get(pk) ?? [], days: days.get(pk) ?? [] }),
      ]),
    );
  }

  return (monitorPks) => {
    const settled = rollupCacheOf(db).get({ subject: "90 days", stretch, monitorPks }, readSettled);
    const latest = listCounts(db, "daily", monitorPks, { since: plan.days.until });
    return (pk) => withLatestDays(plan, settled.get(pk), latest.get(pk) ?? []);
  };
}

const ADD: Record<RollupUnit, string> = {
  hourly: `${INSERT_INTO.hourly} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ${ON_CONFLICT}`,
  daily: `${INSERT_INTO.daily} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ${ON_CONFLICT}`,
};

/** Adds to the rollups of hours and days, within the transaction of the results. */
export function addToRollups(db: Database, rollups: readonly NewRollup[]): void {
  const rows = rollupRows(rollups);
  for (const unit of ["hourly", "daily"] as const)
    for (const row of rows[unit]) prepared(db, ADD[unit]).run(...ROLLUP_FIELDS.map((field) => row[field]));
}

const COUNTS: Record<RollupUnit, string> = {
  hourly: `SELECT monitor_pk, start, status, count FROM hourly_totals
    WHERE monitor_pk IN (SELECT value FROM json_each(?)) AND start >= ? AND start < ?`,
  daily: `SELECT monitor_pk, start, status, count FROM daily_totals
    WHERE monitor_pk IN (SELECT value FROM json_each(?)) AND start >= ? AND start < ? AND count > 0`,
};

/** A row as an array, because a list may have thousands. `start` is in hours since 1970. */
type CountRow = [monitorPk: number, start: number, status: number, count: number];

/** How many results of each status some monitors have, by monitor, in any order. */
function listCounts(
  db: Database,
  unit: RollupUnit,
  monitorPks: number[],
  { since, until = Number.MAX_SAFE_INTEGER }: Stretch,
): Map<number, StatusCount[]> {
  const rows = db.$client
    .query<unknown, [string, number, number]>(COUNTS[unit])
    .values(JSON.stringify(monitorPks), since / HOUR, until / HOUR) as CountRow[];
  const found = new Map<number, StatusCount[]>(monitorPks.map((pk) => [pk, []]));
  for (const [monitorPk, start, status, count] of rows)
    found.get(monitorPk)?.push({ start: start * HOUR, status: statusOfCode(status), count });
  return found;
}

interface CachedStretch<Value> extends Required<Stretch> {
  byMonitor: Map<number, Value>;
}

interface Query {
  /** The name of what is computed. The cache keeps one stretch for each subject. */
  subject: string;
  stretch: Required<Stretch>;
  monitorPks: number[];
}

/**
 * Caches values that are computed from the rollups of past hours and days, which rarely change. It relies on this process
 * being the only one that writes rollups.
 */
class RollupCache {
  readonly #bySubject = new Map<string, CachedStretch<unknown>>();
  #noted: { monitorPk: number; createdAt: number }[] = [];

  /**
   * @param read computes the missing values: one for each monitor, also for a monitor without rollups
   * @returns values by monitor, for these monitors and others; valid until the next write
   */
  get<Value>(
    { subject, stretch, monitorPks }: Query,
    read: (monitorPks: number[]) => Map<number, Value>,
  ): ReadonlyMap<number, Value> {
    const { byMonitor } = this.#stretchOf<Value>(subject, stretch);
    const missing = monitorPks.filter((pk) => !byMonitor.has(pk));
    if (missing.length > 0) for (const [pk, value] of read(missing)) byMonitor.set(pk, value);
    return byMonitor;
  }

  /** To be called for each result before its commit: a late result, such as one that was held while the disk was full, changes values. */
  noteResult(monitorPk: number, createdAt: number): void {
    this.#noted.push({ monitorPk, createdAt });
  }

  /** Removes the values that the noted results change. To be called after their commit, and before another read. */
  forgetLate(): void {
    for (const { monitorPk, createdAt } of this.#noted)
      for (const { until, byMonitor } of this.#bySubject.values())
        if (createdAt < until) byMonitor.delete(monitorPk);
    this.#noted = [];
  }

  #stretchOf<Value>(subject: string, { since, until }: Required<Stretch>): CachedStretch<Value> {
    const cached = this.#bySubject.get(subject) as CachedStretch<Value> | undefined;
    if (cached?.since === since && cached.until === until) return cached;
    const created: CachedStretch<Value> = { since, until, byMonitor: new Map() };
    this.#bySubject.set(subject, created);
    return created;
  }
}

export const rollupCacheOf = oncePerEngine(() => new RollupCache());
