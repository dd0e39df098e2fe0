import { clamp, parsedJson } from "../imported.ts";
import type { MappedMonitor } from "./monitors.ts";

/** The monitor for one of Uptime Kuma: a type with its config, and the parts that are not taken over. */
export interface Mapped {
  type: "HTTP" | "TCP" | "DNS" | "SCHEDULED";
  config: Record<string, unknown>;
  omitted: OmittedPart[];
  /** Sentences about it. */
  notes: string[];
  /** Whether it could only fail here, so that it is created paused. */
  isPaused?: boolean;
}

/** A part that is not taken over, such as `push token`. */
export interface OmittedPart {
  part: string;
  why: string;
}

/** Why a monitor cannot be taken over. */
export interface Refused {
  why: string;
  /** If stillup has no monitors of that type. */
  type?: string;
}

const MAX_INTERVAL = 86_400;
const MAX_TIMEOUT = 60;
const DEFAULT_INTERVAL = 60;

/** Seconds. */
export function intervalOf(row: Row): number {
  return clamp(1, Math.round(wantedInterval(row)), MAX_INTERVAL);
}

function wantedInterval(row: Row): number {
  return numberOf(row, "interval") || DEFAULT_INTERVAL;
}

/** Seconds. Uptime Kuma's own limit: the timeout of the monitor, or 80 % of its interval. */
export function timeoutOf(row: Row): number {
  return clamp(1, Math.floor(wantedTimeout(row)), Math.min(MAX_TIMEOUT, intervalOf(row)));
}

function wantedTimeout(row: Row): number {
  const timeout = numberOf(row, "timeout") ?? 0;
  return timeout > 0 ? timeout : Math.floor(Math.max(1, wantedInterval(row) * 0.8));
}

/** Reports an interval that a monitor can't have. */
export function omittedInterval(row: Row): OmittedPart[] {
  const [wanted, interval] = [wantedInterval(row), intervalOf(row)];
  if (wanted === interval) return [];
  const range = `whole seconds, 1 to ${MAX_INTERVAL}`;
  return [{ part: "interval", why: `it is ${wanted} s; ${range} are possible: it is ${interval} s here` }];
}

/** Reports an interval and a timeout that a monitor can't have. */
export function omittedTimes(row: Row): OmittedPart[] {
  const [wanted, timeout] = [wantedTimeout(row), timeoutOf(row)];
  if (wanted === timeout) return omittedInterval(row);
  const range = `whole seconds, up to ${MAX_TIMEOUT} and the interval`;
  const why = `it is ${wanted} s; ${range} are possible: it is ${timeout} s here`;
  return [...omittedInterval(row), { part: "timeout", why }];
}

/** A row of a table of Uptime Kuma. Its columns depend on the version, and a damaged one has any types. */
export type Row = Record<string, unknown>;

/** The rows of Uptime Kuma, from its database or its backup. A missing table has no rows. */
export interface KumaData {
  monitors: Row[];
  notifications: Row[];
  monitorNotifications: Row[];
  tags: Row[];
  monitorTags: Row[];
  maintenances: Row[];
  monitorMaintenances: Row[];
  pages: Row[];
  pageDomains: Row[];
  groups: Row[];
  monitorGroups: Row[];
  settings: Row[];
  proxies: Row[];
  /** The results of a monitor on a UTC day: `monitor_id`, `timestamp` (its start in seconds), `up`, `down` and `ping`. */
  days: Row[];
  /** The number of rows of each table that is not read, by name. */
  others: Record<string, number>;
}

/** Maximum characters of the name of a monitor or channel. */
export const MAX_NAME = 200;

export const NO_DATA: KumaData = {
  ...{ monitors: [], notifications: [], monitorNotifications: [], tags: [], monitorTags: [] },
  ...{ maintenances: [], monitorMaintenances: [], pages: [], pageDomains: [], groups: [], monitorGroups: [] },
  ...{ settings: [], proxies: [], days: [], others: {} },
};

/** A text without surrounding blanks; empty if the cell has none. */
export function textIn(row: Row, column: string): string {
  const cell = row[column];
  if (typeof cell === "string") return cell.trim();
  return typeof cell === "number" || typeof cell === "bigint" ? String(cell) : "";
}

/** Undefined if the cell has no number. */
export function numberOf(row: Row, column: string): number | undefined {
  const cell = row[column];
  const isNumeric = typeof cell === "string" ? cell.trim() !== "" : typeof cell === "number";
  const number = isNumeric ? Number(cell) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** The ID of a row, or another row's ID in it. */
export function idOf(row: Row, column = "id"): number | undefined {
  const id = numberOf(row, column);
  return Number.isInteger(id) ? id : undefined;
}

/** @param missing for a column that this version does not have */
export function flagOf(row: Row, column: string, missing = false): boolean {
  const cell = row[column];
  if (cell === undefined || cell === null) return missing;
  return cell === true || cell === 1 || cell === "1" || cell === "true";
}

/** The value of a cell with JSON; undefined if it is not JSON. */
export function jsonOf(row: Row, column: string): unknown {
  const cell = row[column];
  return typeof cell === "string" ? parsedJson(cell) : (cell ?? undefined);
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The rows by the ID in a column, in their order. Rows without an ID are left out. */
export function groupedBy(rows: readonly Row[], column: string): ReadonlyMap<number | undefined, Row[]> {
  return Map.groupBy(
    rows.filter((row) => idOf(row, column) !== undefined),
    (row) => idOf(row, column),
  );
}

/**
 * The rows in a JSON backup of Uptime Kuma 1, which has monitors, notifications and tags (behavior 16.95).
 *
 * @returns undefined for a value that is no backup
 */
export function readBackup(value: unknown): KumaData | undefined {
  if (!isRow(value) || !Array.isArray(value.monitorList)) return undefined;
  const monitors = value.monitorList.filter(isRow).map(asRow);
  const rowsOf = (list: unknown) => (Array.isArray(list) ? list.filter(isRow).map(asRow) : []);
  return {
    ...NO_DATA,
    monitors,
    notifications: rowsOf(value.notificationList),
    proxies: rowsOf(value.proxyList),
    monitorNotifications: monitors.flatMap(notificationsOf),
    ...tagsOf(monitors),
  };
}

/** Converts the names of the backup to names of columns: `retryInterval` is `retry_interval`. */
function asRow(entry: Row): Row {
  const columns = Object.entries(entry).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  const row: Row = Object.fromEntries(columns);
  // The backup counts a monitor in a paused group as active.
  return "accepted_statuscodes" in row
    ? { ...row, accepted_statuscodes_json: row.accepted_statuscodes }
    : row;
}

/** `notificationIDList` is `{ "3": true }`. */
function notificationsOf(monitor: Row): Row[] {
  const list = monitor.notification_i_d_list;
  if (!isRow(list)) return [];
  const ids = Object.keys(list).filter((id) => list[id] === true);
  return ids.map((id) => ({ monitor_id: monitor.id, notification_id: Number(id) }));
}

/** The tags of a monitor are entries with the name and the value. Here each is a tag of its own. */
function tagsOf(monitors: readonly Row[]): Pick<KumaData, "tags" | "monitorTags"> {
  const uses = monitors.flatMap(({ id, tags }) =>
    Array.isArray(tags) ? tags.filter(isRow).map(({ name, value }) => ({ monitor: id, name, value })) : [],
  );
  return {
    tags: uses.map(({ name }, at) => ({ id: at, name })),
    monitorTags: uses.map(({ monitor, value }, at) => ({ monitor_id: monitor, tag_id: at, value })),
  };
}

const DAY = 24 * 60 * 60 * 1000;

/** Days before the present one that are read. */
const HISTORY_DAYS = 90;

const MAX_RESULTS = 1_000_000;
const MAX_LATENCY = 3_600_000;

type Day = { up: number; down: number; latency?: number };

/** The start of the first day of the history, in milliseconds since 1970. */
export function historyStart(now: number): number {
  return Math.floor(now / DAY) * DAY - HISTORY_DAYS * DAY;
}

/**
 * The results of each day of the monitors that were taken over, by ref and UTC day (behavior 16.102). The present day is left
 * out, because it is not over.
 */
export function historyFrom(
  { days }: Pick<KumaData, "days">,
  { monitors, now }: { monitors: readonly MappedMonitor[]; now: number },
): Record<string, Record<string, Day>> {
  const byId = new Map(monitors.map((monitor) => [idOf(monitor.row), monitor]));
  const history = new Map<string, Map<string, Day>>();
  for (const row of days) {
    const monitor = byId.get(idOf(row, "monitor_id"));
    const start = (numberOf(row, "timestamp") ?? Number.NaN) * 1000;
    if (!monitor || !(start >= historyStart(now) && start < Math.floor(now / DAY) * DAY)) continue;
    const [up, down] = [countOf(numberOf(row, "up")), countOf(numberOf(row, "down"))];
    if (up + down === 0) continue;
    const latency = up > 0 && hasLatency(monitor) ? numberOf(row, "ping") : undefined;
    const isLatency = latency !== undefined && latency > 0 && latency <= MAX_LATENCY;
    const of = history.get(monitor.ref) ?? new Map<string, Day>();
    history.set(monitor.ref, of);
    of.set(new Date(start).toISOString().slice(0, 10), {
      ...{ up, down },
      ...(isLatency && { latency: Math.round(latency * 10) / 10 }),
    });
  }
  return Object.fromEntries([...history].map(([ref, of]) => [ref, Object.fromEntries(inOrder(of))]));
}

function inOrder(days: ReadonlyMap<string, Day>): [string, Day][] {
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1));
}

function countOf(count = 0): number {
  return Math.min(Math.max(0, Math.round(count)), MAX_RESULTS);
}

function hasLatency({ type }: MappedMonitor): boolean {
  return type === "HTTP" || type === "TCP";
}
