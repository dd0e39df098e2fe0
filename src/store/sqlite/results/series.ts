import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { type Status, statusesOf } from "../../../domain/monitors/status.ts";
import type { Database } from "../open.ts";

/*
 * The results of one monitor with one status are a series: one number, by which they lie in order in the index.
 */
const STATUSES = 4;

export function seriesOf(monitorPk: number, type: MonitorType, status: Status): number {
  return monitorPk * STATUSES + placeOf(type, status);
}

/** The place of a status among those of its type. */
export function placeOf(type: MonitorType, status: Status): number {
  const place = (statusesOf[type] as readonly Status[]).indexOf(status);
  if (place < 0) throw new Error(`a ${type} monitor can't be ${status}`);
  return place;
}

/** All series of a monitor. */
export function everySeriesOf(monitorPk: number, type: MonitorType): number[] {
  return statusesOf[type].map((status) => seriesOf(monitorPk, type, status));
}

/** Where the series of a monitor lie, whatever its type: from the first to before the last. */
export function seriesRange(monitorPk: number): [from: number, to: number] {
  return [monitorPk * STATUSES, (monitorPk + 1) * STATUSES];
}

export function monitorOf(series: number): number {
  return Math.floor(series / STATUSES);
}

export function statusOf(series: number, type: MonitorType): Status {
  const status = statusesOf[type][series % STATUSES];
  if (status === undefined)
    throw new Error(`the database holds series ${series}, which a ${type} monitor can't have`);
  return status;
}

/**
 * The numbers of the newest results over some series, newest first.
 *
 * @param before only results with a smaller number
 */
export function newestOf(db: Database, series: number[], page: { before: number; limit: number }): number[] {
  if (series.length <= FEW) return amongAll(db, series, page);
  if (series.length < MANY) return merge(db, series, page);
  return amongLatest(db, new Set(series), page) ?? merge(db, series, page);
}

/** Those of one monitor: to read too many of each costs less than to choose. */
const FEW = STATUSES;

function amongAll(
  db: Database,
  series: number[],
  { before, limit }: { before: number; limit: number },
): number[] {
  const statement = db.$client.query<{ pk: number }, [number, number, number]>(
    "SELECT pk FROM check_results WHERE series = ? AND pk < ? ORDER BY pk DESC LIMIT ?",
  );
  return series
    .flatMap((one) => statement.all(one, before, limit).map(({ pk }) => pk))
    .sort((a, b) => b - a)
    .slice(0, limit);
}

/** With as many series, it pays to look among the latest results of all first. */
const MANY = 50;
const LOOK_AT = 4;

/** Finds them among the latest results of all, where they are as frequent there as they mostly are. */
function amongLatest(
  db: Database,
  wanted: Set<number>,
  { before, limit }: { before: number; limit: number },
): number[] | undefined {
  const latest = db.$client
    .query<{ pk: number; series: number }, [number, number]>(
      "SELECT pk, series FROM check_results WHERE pk < ? ORDER BY pk DESC LIMIT ?",
    )
    .all(before, limit * LOOK_AT);
  const found = latest.filter(({ series }) => wanted.has(series)).map(({ pk }) => pk);
  return found.length >= limit ? found.slice(0, limit) : undefined;
}

/**
 * Takes the newest of all series, one after the other. Each step reads one entry of the index, so that the cost depends
 * on the number of series and of results asked for, and not on how many there are.
 */
function merge(
  db: Database,
  series: number[],
  { before, limit }: { before: number; limit: number },
): number[] {
  const headOf = db.$client.query<Head, [number, number]>(
    "SELECT series, pk FROM check_results WHERE series = ? AND pk < ? ORDER BY pk DESC LIMIT 1",
  );
  const heads = listHeads(db, series, before);
  const found: number[] = [];
  while (found.length < limit) {
    const head = heads.shift();
    if (!head) break;
    found.push(head.pk);
    const next = headOf.get(head.series, head.pk);
    if (next) insert(heads, next);
  }
  return found;
}

/** The newest result of a series that has not been taken yet. */
interface Head {
  series: number;
  pk: number;
}

/** All in one statement, for there may be thousands. @returns those of the series that have one, newest first */
function listHeads(db: Database, series: number[], before: number): Head[] {
  return db.$client
    .query<Head, [string, number]>(
      `SELECT value AS series, (SELECT max(pk) FROM check_results WHERE series = value AND pk < ?2) AS pk
       FROM json_each(?1) WHERE pk IS NOT NULL ORDER BY pk DESC`,
    )
    .all(JSON.stringify(series), before);
}

/** Keeps the heads in order, newest first. */
function insert(heads: Head[], head: Head): void {
  const at = heads.findIndex(({ pk }) => pk < head.pk);
  heads.splice(at < 0 ? heads.length : at, 0, head);
}
