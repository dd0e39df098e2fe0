import { dayOf } from "../../../domain/results/rollup.ts";
import type { Position, ResultRow, Stretch } from "../../results/result-items.ts";
import type { Sql } from "../../tx.ts";
import { type Days, firstNumber, listDays, locate } from "./day-partitions.ts";
import { newestPacked } from "./packed-results.ts";
import { type DaysPage, readNewestOfDay, readRows, type Selection } from "./result-queries.ts";
import { planSteps, type Step } from "./steps.ts";

const DAY = 24 * 60 * 60 * 1000;

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
  { before, limit, ...stretch }: Position,
): Promise<ResultRow[]> {
  if (selection.monitorPks.length === 0 || selection.statuses.length === 0) return [];
  const all = await listDays(sql);
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = stretch;
  const days = all.days.filter((day) => day + DAY > from && day < to);
  const isLarge = selection.monitorPks.length >= MANY;
  const found: ResultRow[] = [];
  let older = days;
  if (before !== undefined) {
    const start = await locate(sql, all, selection, before);
    if (!start) return [];
    const page = { all, day: start.day, before, limit, ...stretch };
    if (days.includes(start.day))
      found.push(...(await readDay(sql, selection, page, isLarge ? before : null)));
    older = days.filter((day) => day < start.day);
  } else if (isLarge) {
    const latest = await readLatest(sql, selection, { all, days, limit, ...stretch });
    if (latest.length >= limit) return latest;
  }
  const plan = { all: all.days, days: older, wanted: limit - found.length, from, to };
  for await (const step of planSteps(sql, selection, plan)) {
    if (found.length >= limit) break;
    found.push(...(await readStep(sql, step, { all, limit: limit - found.length, ...stretch })));
  }
  return found;
}

/** The newest results of the latest day. It finds fewer if most results of that time are not of the selection. */
async function readLatest(
  sql: Sql,
  selection: Selection,
  { all, days, ...page }: Stretch & { all: Days; days: number[]; limit: number },
): Promise<ResultRow[]> {
  for (const day of days) {
    if ((await firstNumber(sql, day)) === undefined) continue;
    return readNewestOfDay(sql, selection, { ...page, day, end: await endOf(sql, all.days, day) });
  }
  return [];
}

async function readStep(
  sql: Sql,
  { selection, since, until, isDense }: Step,
  page: Stretch & { all: Days; limit: number },
): Promise<ResultRow[]> {
  if (!isDense) return readDays(sql, selection, { ...page, since, until });
  return readDay(sql, selection, { ...page, day: since }, await endOf(sql, page.all.days, since));
}

/** @param end a number near the last one of the day; null if the selection has few results on that day */
async function readDay(
  sql: Sql,
  selection: Selection,
  { day, ...page }: Omit<DaysPage, "since" | "until"> & { all: Days; day: number },
  end: number | null,
): Promise<ResultRow[]> {
  if (end !== null) {
    const newest = await readNewestOfDay(sql, selection, { ...page, day, end });
    if (newest.length >= page.limit) return newest;
  }
  return readDays(sql, selection, { ...page, since: day, until: day });
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
