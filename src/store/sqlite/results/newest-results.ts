import type { Status } from "../../../domain/monitors/status.ts";
import type { Selection } from "../../results/result-items.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Database } from "../open.ts";

/** @property before only results with a smaller number @property from only results with this number or a larger one */
export interface PageOfNumbers {
  before: number;
  from: number;
  limit: number;
}

/** The numbers of the newest results of one monitor, newest first. */
export function newestOf(db: Database, { monitorPks, statuses }: Selection, page: PageOfNumbers): number[] {
  const statement = db.$client.query<{ pk: number }, [number, number, number, number, number]>(
    `SELECT pk FROM check_results WHERE monitor_pk = ? AND status = ? AND pk >= ? AND pk < ?
     ORDER BY pk DESC LIMIT ?`,
  );
  const numbersOf = (monitorPk: number, status: Status) =>
    statement.all(monitorPk, statusCodes[status], page.from, page.before, page.limit).map(({ pk }) => pk);
  return monitorPks
    .flatMap((monitorPk) => statuses.flatMap((status) => numbersOf(monitorPk, status)))
    .sort((a, b) => b - a)
    .slice(0, page.limit);
}

/**
 * The numbers of the newest results of several selections, newest first.
 *
 * This merges the entries of the index on monitor and status (k-way merge). The cost is one index lookup for each monitor
 * and status and one for each result of the page, and does not depend on the number of results. For many monitors, it is
 * cheaper to read the latest results of all organizations first, which often contain enough of the selected ones.
 */
export function newestOfMany(db: Database, selections: Selection[], page: PageOfNumbers): number[] {
  const sources = selections.reduce(
    (sum, { monitorPks, statuses }) => sum + monitorPks.length * statuses.length,
    0,
  );
  return (sources < MANY ? undefined : amongLatest(db, selections, page)) ?? merge(db, selections, page);
}

/** The number of pairs of monitor and status from which the latest results of all organizations are read first. */
const MANY = 50;

/** How many of the latest results are read, as a multiple of the page. */
const LATEST_PAGES = 4;

/** @returns undefined if the latest results of all organizations contain too few of the selections, and there are older ones */
function amongLatest(
  db: Database,
  selections: Selection[],
  { before, from, limit }: PageOfNumbers,
): number[] | undefined {
  const wanted = new Map<number, Set<number>>();
  for (const { monitorPks, statuses } of selections) {
    const codes = new Set(statuses.map((status) => statusCodes[status]));
    for (const monitorPk of monitorPks) wanted.set(monitorPk, codes);
  }
  const size = limit * LATEST_PAGES;
  const latest = db.$client
    .query<{ pk: number; monitorPk: number; status: number }, [number, number, number]>(
      `SELECT pk, monitor_pk AS monitorPk, status FROM check_results
       WHERE pk >= ? AND pk < ? ORDER BY pk DESC LIMIT ?`,
    )
    .all(from, before, size);
  const found = latest.filter(({ monitorPk, status }) => wanted.get(monitorPk)?.has(status));
  const isEnough = found.length >= limit || latest.length < size;
  return isEnough ? found.slice(0, limit).map(({ pk }) => pk) : undefined;
}

function merge(db: Database, selections: Selection[], page: PageOfNumbers): number[] {
  const next = db.$client.query<Head, [number, number, number, number]>(
    `SELECT monitor_pk AS monitorPk, status, pk FROM check_results
     WHERE monitor_pk = ? AND status = ? AND pk >= ? AND pk < ? ORDER BY pk DESC LIMIT 1`,
  );
  const heads = selections.flatMap((selection) => listHeads(db, selection, page)).sort((a, b) => b.pk - a.pk);
  const found: number[] = [];
  while (found.length < page.limit) {
    const head = heads.shift();
    if (!head) break;
    found.push(head.pk);
    const following = next.get(head.monitorPk, head.status, page.from, head.pk);
    if (following) insert(heads, following);
  }
  return found;
}

/** The newest result of a monitor with a status that is not in the page yet. */
interface Head {
  monitorPk: number;
  status: number;
  pk: number;
}

/** One statement, because a selection may contain thousands of monitors. */
function listHeads(
  db: Database,
  { monitorPks, statuses }: Selection,
  { before, from }: PageOfNumbers,
): Head[] {
  const codes = statuses.map((status) => statusCodes[status]);
  return db.$client
    .query<Head, [string, string, number, number]>(
      `SELECT monitor.value AS monitorPk, status.value AS status,
         (SELECT max(pk) FROM check_results
          WHERE monitor_pk = monitor.value AND check_results.status = status.value AND pk >= ?3 AND pk < ?4) AS pk
       FROM json_each(?1) AS monitor, json_each(?2) AS status
       WHERE pk IS NOT NULL`,
    )
    .all(JSON.stringify(monitorPks), JSON.stringify(codes), from, before);
}

/** Keeps the heads in order, newest first. */
function insert(heads: Head[], head: Head): void {
  const at = heads.findIndex(({ pk }) => pk < head.pk);
  heads.splice(at < 0 ? heads.length : at, 0, head);
}
