import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { isSelected, type Selector } from "../../domain/monitors/selector.ts";
import type { Span } from "../../domain/reports/monthly-report.ts";
import type { ReportedMonitor } from "../../domain/reports/report-contents.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { withDowns } from "../outages/exported-outages.ts";
import { HOUR } from "../results/hour-columns.ts";
import { fromJson, type Tx } from "../tx.ts";

export type MonitorMonth = ReportedMonitor;

/** @property end the number of the last monitor that was read; null after the last monitor of the organization */
export interface MonthSlice {
  monitors: MonitorMonth[];
  end: number | null;
}

/** Monitors of a slice: all else waits for some milliseconds meanwhile. */
const SIZE = 250;

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

/** The monitors of an organization for the report of a month, oldest first. */
export async function readMonth(
  tx: Tx,
  organizationId: string,
  { month, tag, selector, after }: MonthRequest,
): Promise<MonthSlice> {
  const organization = await organizationPk(tx, organizationId);
  const listed = await listMonitors(tx, [organization, after, tag ?? null, SIZE]);
  const monitors = selector ? listed.filter((monitor) => isSelected(selector, monitor)) : listed;
  const checked = await checkedOf(tx, monitors, month);
  const outages = await outagesOf(tx, monitors, month);
  // Outages that last in the month may have begun long before it.
  const starts = [...outages.values()].flat().map(({ startedAt }) => startedAt);
  const runs = await listRuns(tx, organization, { from: Math.min(month.from, ...starts), to: month.to });
  return {
    monitors: monitors.map(({ pk, id, name, type, tags, createdAt }) => ({
      id,
      name,
      type,
      createdAt,
      outages: outages.get(pk) ?? [],
      maintenance: runs.filter(({ selector }) => isSelected(selector, { id, tags })),
      checked: checked.get(pk) ?? [],
    })),
    end: listed.length === SIZE ? (listed.at(-1)?.pk ?? null) : null,
  };
}

/** @property interval seconds, also as text; null of a job @property open an hour that is in no run yet, since 1970 */
interface Monitor {
  pk: number;
  id: string;
  name: string;
  type: MonitorType;
  interval: number | string | null;
  tags: string[];
  createdAt: number;
  open: number | null;
}

const LIST = `SELECT pk, id, name, type, config ->> 'interval' AS interval, tags, created_at AS "createdAt",
    open_start AS open
  FROM monitors JOIN monitor_states ON monitor_pk = pk
  WHERE monitors.organization_pk = $1 AND pk > $2 AND ($3::text IS NULL OR tags::jsonb ? $3) ORDER BY pk LIMIT $4`;

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

/** Behavior 14.82. @returns the time in which each monitor was checked, by its number */
async function checkedOf(tx: Tx, monitors: readonly Monitor[], month: Span): Promise<Map<number, Span[]>> {
  const probed = monitors.filter((monitor) => !isJob(monitor));
  const hours = await listHours(tx, probed, month);
  const checked = await firstResults(tx, monitors.filter(isJob), month);
  for (const { pk, interval } of probed) {
    const spans = hours.get(pk);
    if (!spans) continue;
    const after = Number(interval ?? 0) * 1000;
    checked.set(
      pk,
      spans.map(({ from, to }) => ({ from: from * HOUR, to: to * HOUR + after })),
    );
  }
  return checked;
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

const HOURS = `SELECT monitor_pk AS "monitorPk", first, last FROM hour_runs
  WHERE monitor_pk = ANY($1) AND first < $3 AND last >= $2 ORDER BY monitor_pk, first`;

interface HourRun {
  monitorPk: number;
  first: number;
  last: number;
}

/** The hours with results of some monitors, those in a row together; in hours since 1970. */
async function listHours(
  { query }: Tx,
  monitors: readonly Monitor[],
  month: Span,
): Promise<Map<number, Span[]>> {
  const { from, to } = {
    from: Math.floor((month.from - MAX_INTERVAL) / HOUR),
    to: Math.ceil(month.to / HOUR),
  };
  const hours = new Map<number, Span[]>();
  const add = (pk: number, first: number, last: number) => {
    const spans = hours.get(pk);
    const before = spans?.at(-1);
    if (before && before.from <= first && first <= before.to) before.to = Math.max(before.to, last + 1);
    else if (spans) spans.push({ from: first, to: last + 1 });
    else hours.set(pk, [{ from: first, to: last + 1 }]);
  };
  for (const { monitorPk, first, last } of await query<HourRun>(HOURS, [pksOf(monitors), from, to]))
    add(monitorPk, Math.max(first, from), Math.min(last, to - 1));
  for (const { pk, open } of monitors) if (open !== null && open >= from && open < to) add(pk, open, open);
  return hours;
}
