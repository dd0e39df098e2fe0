import {
  type Attended,
  attended,
  countStandings,
  standingOf,
  worstFirst,
} from "../../domain/monitors/standing.ts";
import { groupOf, RESULT_STATUSES } from "../../domain/monitors/status.ts";
import { type Filters, isMatch, ORDERS, type Sort, type Sorted } from "../../domain/overview/selection.ts";
import { RANGES, type Range, rangeStart } from "../../domain/results/range.ts";
import { dayOf, hourOf, type Stretch } from "../../domain/results/rollup.ts";
import { type StatusCount, sumByStatus, uptime } from "../../domain/results/uptime.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { Engine } from "../engine.ts";
import type { MonitorCounts, MonitorSelection, MonitorSnapshot } from "../monitors/monitor-report.ts";
import { HOUR, type RollupUnit } from "../results/hour-columns.ts";
import { unpackTimings } from "../results/timings.ts";
import { statusCodes, statusOfCode } from "../status-codes.ts";
import { createTurns } from "../turns.ts";
import type { Sql } from "../tx.ts";
import type { Known, KnownMonitor, KnownMonitors } from "./monitor-report.ts";

/** How many monitors are compared in one turn of the event loop. */
const SIZE = 2500;

/** The index has these columns in this order. */
const LIST = `SELECT monitor_pk AS pk, status FROM monitor_states
  WHERE organization_pk = $1 AND status = $2 AND monitor_pk > $3 ORDER BY monitor_pk LIMIT ${SIZE}`;
const LIST_LATENCIES = LIST.replace(" FROM", ", last_timings AS timings FROM");
const LIST_OTHERS = `SELECT monitor_pk AS pk, status, last_timings AS timings FROM monitor_states
  WHERE monitor_pk = ANY($1)`;

interface Row {
  pk: number;
  status: number;
  timings?: Uint8Array | null;
}

interface Found extends Sorted {
  pk: number;
}

interface Reading {
  known: KnownMonitors;
  editMark?: Engine["editMark"];
  /** Resolves when a slice may be read. */
  turn: () => Promise<void>;
  /** Adds the uptimes to these monitors; yields to the event loop between batches. */
  readUptimes: (some: KnownMonitor[]) => Promise<void>;
}

/**
 * The numbers of the first monitors of an organization in an order, and counts of all.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function findWorstPks(
  sql: Sql,
  organizationId: string,
  selection: MonitorSelection,
  { known, editMark, turn, readUptimes }: Reading,
): Promise<MonitorCounts & { pks: number[] }> {
  const { now, most, skip = 0, filters, ids, sort = "trouble", attendance } = selection;
  const organization = await organizationPk(sql, organizationId);
  const all = await known.find(sql, organization, { turn, now, editMark });
  if (sort === "trouble" && !ids && isEmpty(filters)) {
    const worst = await findWorstOfAll(sql, organization, { all, selection });
    if (worst) return worst;
  }
  const monitors = all.byPk;
  if (sort === "uptime") await readUptimes([...monitors.values()]);
  const tags = new Map<string, number>();
  const numbers: MonitorCounts = { counts: countStandings([]), matching: 0, tags };
  const order = oldestFirst(ORDERS[sort]);
  let best: Found[] = [];
  // A monitor whose status changes meanwhile may be in two slices, or in none.
  const counted = new NumberSet();
  const count = (rows: Row[]) => {
    const last = best.length < skip + most ? undefined : best.at(-1);
    const better: Found[] = [];
    for (const { pk, status: code, timings } of rows) {
      const one = monitors.get(pk);
      if (!one || !counted.add(pk)) continue;
      const { name, uptime } = one;
      const present = attended({ ...one, status: statusOfCode(code) }, attendance);
      numbers.counts[standingOf(present)]++;
      for (const tag of one.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
      if (ids && !ids.has(one.id)) continue;
      if (filters && !isMatch(present, filters)) continue;
      numbers.matching++;
      const latest = timings ? { latencyMs: unpackTimings(timings).latencyMs } : null;
      const { status, enabled, maintenance, acknowledgement } = present;
      const found = { pk, name, status, enabled, maintenance, acknowledgement, uptime, latest };
      if (most > 0 && (!last || order(found, last) < 0)) better.push(found);
    }
    if (better.length > 0) best = [...best, ...better].sort(order).slice(0, skip + most);
  };
  for await (const rows of slices(sql, organization, sort, turn)) count(rows);
  const missing = counted.size === monitors.size ? [] : [...monitors.keys()].filter((pk) => !counted.has(pk));
  if (missing.length > 0) count(await sql.query<Row>(LIST_OTHERS, [missing]));
  return { ...numbers, pks: best.slice(skip).map(({ pk }) => pk) };
}

/** An order in which equal monitors follow each other by age, so that each is on one page. */
function oldestFirst<Ordered>(order: (a: Ordered, b: Ordered) => number) {
  return <One extends Ordered & { pk: number }>(a: One, b: One) => order(a, b) || a.pk - b.pk;
}

function isEmpty(filters: Filters | undefined): boolean {
  if (!filters) return true;
  const { search, type, kind = "", state, tags, anyTag = [] } = filters;
  return search.trim() + type + kind + state === "" && tags.length + anyTag.length === 0;
}

/** More monitors that are not healthy are read with all others. */
const MAX_UNHEALTHY = 1000;

const UNHEALTHY = RESULT_STATUSES.filter((status) => groupOf[status] !== "healthy").map(
  (one) => statusCodes[one],
);

const LIST_UNHEALTHY = `SELECT monitor_pk AS pk, status FROM monitor_states
  WHERE organization_pk = $1 AND status IN (${[statusCodes.unknown, ...UNHEALTHY].join(", ")}) LIMIT ${MAX_UNHEALTHY}`;

/**
 * Most monitors are healthy: only the others are read, because the order of names is known.
 *
 * @returns null if too many are not healthy, or too few, or if not all settings are known
 */
async function findWorstOfAll(
  { query }: Sql,
  organization: number,
  { all, selection: { most, skip = 0, attendance } }: { all: Known; selection: MonitorSelection },
): Promise<(MonitorCounts & { pks: number[] }) | null> {
  const { byPk, summary } = all;
  if (!summary || byPk.size < skip + most) return null;
  const rows = await query<Row>(LIST_UNHEALTHY, [organization]);
  if (rows.length === MAX_UNHEALTHY) return null;
  const codes = new Map(rows.map(({ pk, status }) => [pk, status]));
  const counts = countStandings([]);
  // All of these monitors come before the healthy monitors. Paused monitors come last.
  const unhealthy = new Map<number, Attended & { pk: number; name: string }>();
  const turn = createTurns();
  let read = 0;
  for (const one of byPk.values()) {
    if (read++ % SIZE === 0) await turn();
    const code = codes.get(one.pk);
    if (one.enabled && code === undefined && !attendance.maintenanceOf(one)) {
      counts.healthy++;
      continue;
    }
    const present = attended({ ...one, status: code === undefined ? "up" : statusOfCode(code) }, attendance);
    counts[standingOf(present)]++;
    if (one.enabled) unhealthy.set(one.pk, present);
    if (unhealthy.size > MAX_UNHEALTHY) return null;
  }
  // Another request may have read changes meanwhile.
  if (all.summary !== summary) return null;
  const healthy = summary.first.filter((one) => one.enabled && !unhealthy.has(one.pk));
  if (unhealthy.size + healthy.length < skip + most) return null;
  const worst = [...[...unhealthy.values()].sort(oldestFirst(worstFirst)), ...healthy];
  const pks = worst.slice(skip, skip + most).map(({ pk }) => pk);
  return { counts, matching: byPk.size, tags: summary.tags, pks };
}

/** The monitors of an organization, grouped by status. */
async function* slices(
  { query }: Sql,
  organization: number,
  sort: Sort,
  turn: () => Promise<void>,
): AsyncGenerator<Row[]> {
  const text = sort === "latency" ? LIST_LATENCIES : LIST;
  for (const code of Object.values(statusCodes)) {
    for (let after = 0; ; ) {
      await turn();
      const rows = await query<Row>(text, [organization, code, after]);
      if (rows.length > 0) yield rows;
      if (rows.length < SIZE) break;
      after = rows.at(-1)?.pk ?? after;
    }
  }
}

/** The monitors with these numbers in their order, of snapshots in any order. Deleted ones are left out. */
export function inOrderOf(pks: readonly number[], snapshots: readonly MonitorSnapshot[]): MonitorSnapshot[] {
  const byPk = new Map(snapshots.map((snapshot) => [snapshot.pk, snapshot]));
  return pks.flatMap((pk) => byPk.get(pk) ?? []);
}

/** How long an uptime is used for the order by uptime, in milliseconds. */
const FRESH = 60_000;

/** The monitors whose uptime is unknown or old. */
export function withoutUptime(some: readonly KnownMonitor[], now: number): KnownMonitor[] {
  return some.filter(({ uptimeAt = 0 }) => now - uptimeAt > FRESH);
}

/** A set of numbers in small parts. A single large set is copied at once when it grows, which takes 15 ms for 50,000. */
class NumberSet {
  readonly #parts = new Map<number, Set<number>>();
  size = 0;

  has(number: number): boolean {
    return this.#parts.get(Math.floor(number / PART))?.has(number) ?? false;
  }

  /** @returns whether it was not in the set */
  add(number: number): boolean {
    const key = Math.floor(number / PART);
    const part = this.#parts.get(key) ?? new Set();
    if (part.has(number)) return false;
    this.#parts.set(key, part.add(number));
    this.size++;
    return true;
  }
}

const PART = 1024;

/*
 * The rollups of a monitor are one text, because there may be thousands: `start,status,count;…` with starts in hours since
 * 1970.
 */

/** An aggregate over rollups, for `readCounts`. */
export const COUNTS = "string_agg(start || ',' || status || ',' || count, ';') FILTER (WHERE count > 0)";

/** @param text null if there are no rollups */
export function readCounts(text: string | null): StatusCount[] {
  if (text === null) return [];
  return text.split(";").map((rollup) => {
    const [start, status, count] = rollup.split(",");
    return { start: Number(start) * HOUR, status: statusOfCode(Number(status)), count: Number(count) };
  });
}

/** The rollups with which the history of a range is made. */
export function unitOf(range: Range): RollupUnit {
  return range === "1d" || range === "7d" ? "hourly" : "daily";
}

/** The largest start of a rollup, in hours since 1970. */
export const LAST_START = 2 ** 31 - 1;

const DAY = 24 * HOUR;

/** The hours that `uptimes` and the history of a range of hours need: all of 7 days, and the first day of 30 and of 90 days. */
const FIND_HOURS = `SELECT ${COUNTS} AS counts FROM hourly_totals
  WHERE monitor_pk = $1 AND (start >= $2 OR start >= $3 AND start < $4 OR start >= $5 AND start < $6)`;

const FIND_DAYS = `SELECT ${COUNTS} AS counts FROM daily_totals WHERE monitor_pk = $1 AND start >= $2`;

/** How many results of each status a monitor has in the trailing 90 days, in any order. */
export async function findCounts(
  { query }: Sql,
  monitorPk: number,
  now: number,
): Promise<Record<RollupUnit, StatusCount[]>> {
  const find = async (text: string, starts: number[]) => {
    const [row] = await query<{ counts: string | null }>(text, [
      monitorPk,
      ...starts.map((start) => start / HOUR),
    ]);
    return readCounts(row?.counts ?? null);
  };
  const [week, month, all] = [firstDay("7d", now), firstDay("30d", now), firstDay("90d", now)];
  return {
    hourly: await find(FIND_HOURS, [week.since, month.since, month.end, all.since, all.end]),
    daily: await find(FIND_DAYS, [dayOf(all.since)]),
  };
}

const FIND_STRETCH: Record<RollupUnit, string> = {
  hourly: `SELECT ${COUNTS} AS counts FROM hourly_totals WHERE monitor_pk = $1 AND start >= $2 AND start < $3`,
  daily: `SELECT ${COUNTS} AS counts FROM daily_totals WHERE monitor_pk = $1 AND start >= $2 AND start < $3`,
};

/** The results of each status in a stretch of time, in any order. @property since the start of a rollup */
export async function findCountsBetween(
  { query }: Sql,
  monitorPk: number,
  { unit, since, until }: Required<Stretch> & { unit: RollupUnit },
): Promise<StatusCount[]> {
  const starts = [since / HOUR, Math.ceil(until / HOUR)];
  const [row] = await query<{ counts: string | null }>(FIND_STRETCH[unit], [monitorPk, ...starts]);
  return readCounts(row?.counts ?? null);
}

/** The hours of the first day of a range, in milliseconds since 1970. */
function firstDay(range: Range, now: number): { since: number; end: number } {
  const since = hourOf(rangeStart(range, now));
  return { since, end: dayOf(since) + DAY };
}

/** The uptime over each range: by the hour on its first day, then by the day. */
export function uptimes(
  { hourly, daily }: Record<RollupUnit, StatusCount[]>,
  now: number,
): Record<Range, string | null> {
  const entries = RANGES.map((range) => {
    const { since, end } = firstDay(range, now);
    const hours = hourly.filter(({ start }) => start >= since && start < end);
    const days = daily.filter(({ start }) => start >= end);
    return [range, uptime(sumByStatus(days, sumByStatus(hours)))];
  });
  return Object.fromEntries(entries);
}
