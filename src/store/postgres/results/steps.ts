import { HOUR } from "../../results/hour-columns.ts";
import type { Sql } from "../../tx.ts";
import type { Selection } from "./details.ts";

const DAY = 24 * HOUR;

/** Days to read together: from the day that begins at `since` to the day that begins at `until`. */
export interface Step {
  selection: Selection;
  since: number;
  until: number;
  /** Whether it is one day with so many results that its last ones are probably enough. */
  isDense: boolean;
}

/** A day is dense if it has so many times as many results as are wanted. */
const DENSE = 10;

/** How many days are often enough: it takes longer to read the rollups of all days. */
const NEAR = 8;

/** How many days rollups may be deleted ahead of results. */
const OLDEST = 3;

/**
 * The days that have results of a selection, the latest first, in steps with as many results as are wanted. The rollups say which
 * days and monitors have results, but not from which part of a day: a day that is only partly in the stretch
 * of time is a step of its own.
 *
 * @property all the days that are stored @property days the days to read, the latest first
 */
export async function* planSteps(
  sql: Sql,
  selection: Selection,
  { all, days, wanted, from, to }: Plan,
): AsyncGenerator<Step> {
  if (wanted <= 0) return;
  const isWhole = (day: number) => day >= from && day + DAY <= to;
  const stepOf = (day: number): Step => ({ selection, since: day, until: day, isDense: true });
  yield* days.filter((day) => day + DAY > to).map(stepOf);
  yield* planWholeDays(sql, selection, { all, days: days.filter(isWhole), wanted });
  yield* days.filter((day) => day < from && day + DAY <= to).map(stepOf);
}

interface Plan {
  all: number[];
  days: number[];
  wanted: number;
  from: number;
  to: number;
}

async function* planWholeDays(
  sql: Sql,
  selection: Selection,
  { all, days, wanted }: Pick<Plan, "all" | "days" | "wanted">,
): AsyncGenerator<Step> {
  const isOldest = (day: number) => all.slice(-OLDEST).includes(day);
  const [known, oldest] = [days.filter((day) => !isOldest(day)), days.filter(isOldest)];
  const busy = await listBusyDays(sql, selection, { days: known.slice(0, NEAR), wanted });
  const more = wanted - busy.reduce((sum, { count }) => sum + count, 0);
  if (more > 0) busy.push(...(await listBusyDays(sql, selection, { days: known.slice(NEAR), wanted: more })));
  yield* group(busy, selection, wanted);
  const [until, since] = [oldest[0], oldest.at(-1)];
  if (until !== undefined && since !== undefined) yield { selection, since, until, isDense: false };
}

interface BusyDay {
  day: number;
  monitorPks: number[];
  count: number;
}

function* group(busy: BusyDay[], { statuses }: Selection, wanted: number): Generator<Step> {
  let some: BusyDay[] = [];
  const stepOf = (together: BusyDay[], isDense: boolean): Step[] => {
    const [until, since] = [together[0]?.day, together.at(-1)?.day];
    if (until === undefined || since === undefined) return [];
    const monitorPks = [...new Set(together.flatMap((one) => one.monitorPks))];
    return [{ selection: { monitorPks, statuses }, since, until, isDense }];
  };
  for (const one of busy) {
    if (one.count >= DENSE * wanted) {
      yield* stepOf(some, false);
      yield* stepOf([one], true);
      some = [];
      continue;
    }
    some.push(one);
    if (some.reduce((sum, { count }) => sum + count, 0) < wanted) continue;
    yield* stepOf(some, false);
    some = [];
  }
  yield* stepOf(some, false);
}

/** Each row has at least one result, so that as many rows as results are wanted are enough. */
const LIST_BUSY = `SELECT start, monitor_pk AS "monitorPk", greatest(sum(count), 1)::integer AS count FROM daily_totals
  WHERE monitor_pk = ANY($1) AND status = ANY($2) AND start >= $3 AND start <= $4
  GROUP BY start, monitor_pk ORDER BY start DESC FETCH FIRST $5 ROWS WITH TIES`;

/** The latest days that have as many results as are wanted, or all that have some, the latest first. */
async function listBusyDays(
  { query }: Sql,
  { monitorPks, statuses }: Selection,
  { days, wanted }: { days: number[]; wanted: number },
): Promise<BusyDay[]> {
  const [last, first] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const rows = await query<{ start: number; monitorPk: number; count: number }>(LIST_BUSY, [
    monitorPks,
    statuses,
    first / HOUR,
    last / HOUR,
    wanted,
  ]);
  return [...Map.groupBy(rows, ({ start }) => start)].map(([start, group]) => ({
    day: start * HOUR,
    monitorPks: group.map(({ monitorPk }) => monitorPk),
    count: group.reduce((sum, { count }) => sum + count, 0),
  }));
}
