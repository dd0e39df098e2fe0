import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { isSelected, type Selector } from "../../domain/monitors/selector.ts";
import { groupOf, RESULT_STATUSES } from "../../domain/monitors/status.ts";
import { inRows, type Span, union } from "../../domain/reports/monthly-report.ts";
import type { ReportedMonitor } from "../../domain/reports/report-contents.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { withDowns } from "../outages/exported-outages.ts";
import { HOUR } from "../results/hour-columns.ts";
import { statusCodes } from "../status-codes.ts";
import { fromJson, type Tx } from "../tx.ts";

export type MonitorMonth = ReportedMonitor;

/** @property end the number of the last monitor that was read; null after the last monitor of the organization */
export interface MonthSlice {
  monitors: MonitorMonth[];
  end: number | null;
}

/** The least number of monitors that are listed for a slice: to count a month of one takes up to 0.1 ms. */
const LISTED = 100;

/** How many monitors are counted for each whose hours may be read: a count is ten times as fast. */
const COUNTED = 5;

/** Monitors whose hours one statement reads: to parse them takes some 10 ms. */
const HOURS_OF = 50;

/** The longest interval of a monitor. */
const MAX_INTERVAL = 24 * HOUR;

/**
 * @property month or another stretch of time @property tag only monitors with this tag @property selector only its monitors
 * @property after the `end` of the previous slice, or 0
 */
export interface MonthRequest {
  month: Span;
  tag?: string | undefined;
  selector?: Selector | undefined;
  after: number;
}

/**
 * The monitors of an organization for the report of a month, oldest first.
 *
 * @property size the slice ends before the hours of more monitors are read
 */
export async function readMonth(
  tx: Tx,
  organizationId: string,
  { month, tag, selector, after, size }: MonthRequest & { size: number },
): Promise<MonthSlice> {
  const organization = await organizationPk(tx, organizationId);
  const atOnce = Math.max(LISTED, size);
  const listed = await listMonitors(tx, [organization, after, tag ?? null, atOnce]);
  const selected = selector ? listed.filter((monitor) => isSelected(selector, monitor)) : listed;
  const checked = await checkedOf(tx, selected, { month, size });
  const monitors = selected.filter(({ pk }) => checked.has(pk));
  const isCut = monitors.length < selected.length;
  const outages = await outagesOf(tx, monitors, month);
  // Outages that last in the month may have begun long before it.
  const starts = [...outages.values()].flat().map(({ startedAt }) => startedAt);
  const runs = await listRuns(tx, organization, { from: Math.min(month.from, ...starts), to: month.to });
  const last = isCut ? monitors.at(-1) : listed.at(-1);
  return {
    monitors: monitors.map(({ pk, tags, interval: _, ...monitor }) => ({
      ...monitor,
      outages: outages.get(pk) ?? [],
      maintenance: runs.filter(({ selector }) => isSelected(selector, { id: monitor.id, tags })),
      checked: checked.get(pk) ?? [],
    })),
    end: isCut || listed.length === atOnce ? (last?.pk ?? null) : null,
  };
}

/** @property interval seconds, also as text; null of a job */
interface Monitor {
  pk: number;
  id: string;
  name: string;
  type: MonitorType;
  interval: number | string | null;
  tags: string[];
  createdAt: number;
}

const LIST = `SELECT pk, id, name, type, config ->> 'interval' AS interval, tags, created_at AS "createdAt" FROM monitors
  WHERE organization_pk = $1 AND pk > $2 AND ($3::text IS NULL OR tags::jsonb ? $3) ORDER BY pk LIMIT $4`;

async function listMonitors(
  { query }: Tx,
  values: [number, number, string | null, number],
): Promise<Monitor[]> {
  const rows = await query<Monitor>(LIST, values);
  return rows.map((row) => ({ ...row, tags: fromJson(row.tags) }));
}

const OUTAGES = `SELECT pk, monitor_pk AS "monitorPk", started_at AS "startedAt", ended_at AS "endedAt" FROM outages
  WHERE monitor_pk = ANY($1) AND started_at < $3 AND (ended_at IS NULL OR ended_at > $2)`;

interface OutageRow {
  pk: number;
  monitorPk: number;
  startedAt: number;
  endedAt: number | null;
}

async function outagesOf(tx: Tx, monitors: readonly Monitor[], { from, to }: Span) {
  const rows = await tx.query<OutageRow>(OUTAGES, [pksOf(monitors), from, to]);
  return byMonitor(await withDowns(tx, rows));
}

const RUNS = `SELECT pk, title, selector, starts_at AS "from", ends_at AS "to" FROM maintenance_runs
  WHERE organization_pk = $1 AND starts_at < $3 AND (ends_at IS NULL OR ends_at > $2)`;

interface RunRow {
  pk: number;
  title: string;
  selector: Selector;
  from: number;
  to: number | null;
}

/** The windows of maintenances of a stretch of time. */
async function listRuns({ query }: Tx, organization: number, { from, to }: Span) {
  const rows = await query<RunRow>(RUNS, [organization, from, to]);
  return rows.map((run) => ({ ...run, selector: fromJson(run.selector), to: run.to ?? to }));
}

/**
 * Behavior 14.82.
 *
 * @returns the first of these monitors, of which at most `size` have hours that had to be read
 */
async function checkedOf(
  tx: Tx,
  monitors: Monitor[],
  { month, size }: { month: Span; size: number },
): Promise<Map<number, Span[]>> {
  const found = new Map<number, Span[]>();
  let left = size;
  for (let at = 0; at < monitors.length && left > 0; at += COUNTED * size) {
    const some = monitors.slice(at, at + COUNTED * size);
    const [jobs, probed] = [some.filter(isJob), some.filter((monitor) => !isJob(monitor))];
    const firsts = await firstResults(tx, jobs, month);
    const { hours, others } = await listAllHours(tx, pksOf(probed), { month, most: left });
    const last = others[left] ?? Number.POSITIVE_INFINITY;
    left -= others.length;
    for (const { pk, interval } of some) {
      if (pk >= last) break;
      const after = Number(interval ?? 0) * 1000;
      const ran = (hours.get(pk) ?? []).map(({ from, to }) => ({ from: from * HOUR, to: to * HOUR + after }));
      found.set(pk, firsts.get(pk) ?? ran);
    }
  }
  return found;
}

function isJob({ type }: Monitor): boolean {
  return type === "SCHEDULED";
}

function pksOf(monitors: readonly Monitor[]): number[] {
  return monitors.map(({ pk }) => pk);
}

function byMonitor<Row extends { monitorPk: number }>(rows: readonly Row[]) {
  const groups = Map.groupBy(rows, ({ monitorPk }) => monitorPk);
  return new Map([...groups].map(([pk, group]) => [pk, group.map(({ monitorPk: _, ...row }) => row)]));
}

const FIRST = `SELECT monitor_pk AS "monitorPk", open_start AS open,
    (SELECT min(start) FROM daily_rollups WHERE daily_rollups.monitor_pk = monitor_states.monitor_pk) AS first
  FROM monitor_states WHERE monitor_pk = ANY($1)`;

/** @property open hours since 1970, as `first` @property first the day of its first rollup */
interface FirstRow {
  monitorPk: number;
  open: number | null;
  first: number | null;
}

/** The time from the days on in which the first results of some jobs are, in milliseconds since 1970. */
async function firstResults({ query }: Tx, jobs: Monitor[], { to }: Span): Promise<Map<number, Span[]>> {
  if (jobs.length === 0) return new Map();
  const rows = await query<FirstRow>(FIRST, [pksOf(jobs)]);
  return new Map(
    rows.flatMap(({ monitorPk, open, first }) => {
      const days = [...(first === null ? [] : [first]), ...(open === null ? [] : [open - (open % 24)])];
      return days.length === 0 ? [] : [[monitorPk, [{ from: Math.min(...days) * HOUR, to }]]];
    }),
  );
}

/**
 * The hours with results of some monitors, those in a row together; in hours since 1970.
 *
 * @property most of the monitors that are not steady, the first so many have hours
 * @returns the numbers of all that are not steady too
 */
async function listAllHours(
  tx: Tx,
  pks: number[],
  { month: { from, to }, most }: { month: Span; most: number },
): Promise<{ hours: Map<number, Span[]>; others: number[] }> {
  const span = { from: Math.floor((from - MAX_INTERVAL) / HOUR), to: Math.ceil(to / HOUR) };
  const { hours, others } = await listSteadyHours(tx, pks, span);
  const read = others.slice(0, most);
  for (let at = 0; at < read.length; at += HOURS_OF)
    for (const [pk, runs] of await listHours(tx, read.slice(at, at + HOURS_OF), span)) hours.set(pk, runs);
  return { hours, others };
}

/**
 * @property first the first hour of its rollups in the stretch @property steady in how many hours it was healthy, as seen by this server
 * @property open an hour that is no rollup yet
 */
interface SteadyHours {
  monitorPk: number;
  first: number | null;
  last: number | null;
  steady: number;
  open: number | null;
}

/** A type of monitor has one healthy status, so that an hour has at most one rollup with it of a location. */
const HEALTHY = RESULT_STATUSES.filter((status) => groupOf[status] === "healthy").map(
  (one) => statusCodes[one],
);

const STEADY = `SELECT monitor_states.monitor_pk AS "monitorPk", first, last, coalesce(steady, 0) AS steady,
    CASE WHEN open_start >= $2 AND open_start < $3 THEN open_start END AS open
  FROM monitor_states LEFT JOIN (
    SELECT monitor_pk, min(start) AS first, max(start) AS last,
      count(*) FILTER (WHERE location = 0 AND status IN (${HEALTHY.join(", ")})) AS steady
    FROM hourly_rollups WHERE monitor_pk = ANY($1) AND start >= $2 AND start < $3 GROUP BY monitor_pk
  ) AS hours ON hours.monitor_pk = monitor_states.monitor_pk
  WHERE monitor_states.monitor_pk = ANY($1) ORDER BY monitor_states.monitor_pk`;

/**
 * Monitors that were healthy in each hour between their first and their last one have no gap: most of them. To count hours is ten
 * times as fast as to read them.
 *
 * @returns the hours of these monitors, and the numbers of the others in order
 */
async function listSteadyHours(
  { query }: Tx,
  pks: number[],
  { from, to }: Span,
): Promise<{ hours: Map<number, Span[]>; others: number[] }> {
  const hours = new Map<number, Span[]>();
  const others: number[] = [];
  for (const { monitorPk, first, last, steady, open } of await query<SteadyHours>(STEADY, [pks, from, to])) {
    if (first !== null && last !== null && Number(steady) !== last - first + 1) {
      others.push(monitorPk);
      continue;
    }
    const rollups = first === null || last === null ? [] : [{ from: first, to: last + 1 }];
    hours.set(monitorPk, open === null ? rollups : union([...rollups, { from: open, to: open + 1 }]));
  }
  return { hours, others };
}

const HOURS = `SELECT monitor_pk AS "monitorPk", string_agg(CAST(start AS text), ',') AS hours FROM hourly_totals
  WHERE monitor_pk = ANY($1) AND start >= $2 AND start < $3 GROUP BY monitor_pk`;

/**
 * The hours of monitors of which all rollups are read. One text for each monitor is read five times as fast as a row for each hour.
 */
async function listHours({ query }: Tx, pks: number[], { from, to }: Span): Promise<[number, Span[]][]> {
  const rows = await query<{ monitorPk: number; hours: string }>(HOURS, [pks, from, to]);
  return rows.map(({ monitorPk, hours }) => [monitorPk, inRows(hours.split(",").map(Number))]);
}
