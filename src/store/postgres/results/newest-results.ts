import { dayOf } from "../../../domain/results/rollup.ts";
import type { ResultRow } from "../../results/result-items.ts";
import type { Sql } from "../../tx.ts";
import { type Days, firstNumber, listDays, locate } from "./day-partitions.ts";
import { newestPacked } from "./packed-results.ts";
import { type DaysPage, readNewestOfDay, readRows, type Selection } from "./result-queries.ts";
import { planSteps, type Step } from "./steps.ts";

/** The number of monitors from which the latest results of the whole database are read first. */
const MANY = 50;

/**
 * The newest results of a selection, in the order of `Position`. The days are read from the latest one until there are
 * enough results.
 *
 * @property before the number of the result before the page
 */
export async function newestResults(
  sql: Sql,
  selection: Selection,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ResultRow[]> {
  if (selection.monitorPks.length === 0 || selection.statuses.length === 0) return [];
  const all = await listDays(sql);
  const { days } = all;
  const isLarge = selection.monitorPks.length >= MANY;
  const found: ResultRow[] = [];
  let older = days;
  if (before !== undefined) {
    const start = await locate(sql, all, selection, before);
    if (!start) return [];
    found.push(
      ...(await readDay(sql, selection, { all, day: start.day, before, limit }, isLarge ? before : null)),
    );
    older = days.filter((day) => day < start.day);
  } else if (isLarge) {
    const latest = await readLatest(sql, selection, { days, limit });
    if (latest.length >= limit) return latest;
  }
  for await (const step of planSteps(sql, selection, { days: older, wanted: limit - found.length })) {
    if (found.length >= limit) break;
    found.push(...(await readStep(sql, step, { all, limit: limit - found.length })));
  }
  return found;
}

/** The newest results of the latest day. It finds fewer if most results of that time are not of the selection. */
async function readLatest(
  sql: Sql,
  selection: Selection,
  { days, limit }: { days: number[]; limit: number },
): Promise<ResultRow[]> {
  for (const day of days) {
    if ((await firstNumber(sql, day)) === undefined) continue;
    return readNewestOfDay(sql, selection, { day, limit, end: await endOf(sql, days, day) });
  }
  return [];
}

async function readStep(
  sql: Sql,
  { selection, since, until, isDense }: Step,
  { all, limit }: { all: Days; limit: number },
): Promise<ResultRow[]> {
  if (!isDense) return readDays(sql, selection, { all, since, until, limit });
  return readDay(sql, selection, { all, day: since, limit }, await endOf(sql, all.days, since));
}

/** @param end a number near the last one of the day; null if the selection has few results on that day */
async function readDay(
  sql: Sql,
  selection: Selection,
  { all, day, before, limit }: { all: Days; day: number; before?: number; limit: number },
  end: number | null,
): Promise<ResultRow[]> {
  if (end !== null) {
    const newest = await readNewestOfDay(sql, selection, { day, before, limit, end });
    if (newest.length >= limit) return newest;
  }
  return readDays(sql, selection, { all, since: day, until: day, before, limit });
}

/**
 * The newest results of some days, packed ones too. For a while, the results of a day are in both tables: the rows are read first,
 * because they become segments and not the other way around.
 */
async function readDays(
  sql: Sql,
  selection: Selection,
  { all: { newestPacked: packed }, ...page }: DaysPage & { all: Days },
): Promise<ResultRow[]> {
  const rows = await readRows(sql, selection, page);
  if (page.since > packed) return rows;
  const both = [...rows, ...(await newestPacked(sql, selection, page))];
  return [...new Map(both.map((row) => [row.pk, row])).values()].sort(byPosition).slice(0, page.limit);
}

function byPosition(a: ResultRow, b: ResultRow): number {
  return dayOf(b.createdAt) - dayOf(a.createdAt) || b.pk - a.pk;
}

/** A number near the last one of a day: with which the next day begins, or the last one of all. */
async function endOf(sql: Sql, days: number[], day: number): Promise<number> {
  for (const next of days.filter((other) => other > day).reverse()) {
    const first = await firstNumber(sql, next);
    if (first !== undefined) return first;
  }
  const [row] = await sql.query<{ last: number }>("SELECT last_value AS last FROM check_results_pk");
  return row?.last ?? 0;
}
