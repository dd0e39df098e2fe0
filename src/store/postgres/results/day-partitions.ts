import type { Sql } from "../../tx.ts";

const DAY = 24 * 60 * 60 * 1000;

/**
 * The place of a result in lists: they are in the order of days, and within a day in the order of numbers. Numbers alone
 * would not do: the result of an earlier day that is recorded late has a larger number than results of later days.
 */
export interface Position {
  /** The start of the UTC day of the result, in milliseconds since 1970. */
  day: number;
  pk: number;
}

/** The days that have a partition, the latest first, in milliseconds since 1970. */
export async function listDays({ query }: Sql): Promise<number[]> {
  const rows = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'check_results'::regclass ORDER BY relname DESC`,
  );
  return rows.flatMap(({ name }) => {
    const [, year, month, day] = /^check_results_(\d{4,})(\d\d)(\d\d)$/.exec(name) ?? [];
    return year ? Date.UTC(Number(year), Number(month) - 1, Number(day)) : [];
  });
}

/** The number of one of the first results of a day; undefined for a day without results. */
export async function firstNumber({ query }: Sql, day: number): Promise<number | undefined> {
  // Rows are stored in the order in which they are recorded, so that the first row found is one of the first.
  const [row] = await query<{ pk: number }>(
    "SELECT pk FROM check_results WHERE created_at >= $1 AND created_at < $2 LIMIT 1",
    [day, day + DAY],
  );
  return row?.pk;
}

/**
 * Finds the day of a result by its number. If the result is deleted, it is the day of the results beside it.
 *
 * @param days from `listDays`
 */
export async function locate(sql: Sql, days: number[], pk: number): Promise<Position | undefined> {
  const likely = await likelyPlace(sql, days, pk);
  const day = days[likely];
  // A result that was recorded at midnight may be on the next day, and a late one on any earlier day.
  const others = [...days.slice(Math.max(0, likely - 1)), ...days.slice(0, Math.max(0, likely - 1))];
  for (const candidate of new Set(day === undefined ? [] : [day, ...others]))
    if (await has(sql, candidate, pk)) return { day: candidate, pk };
  return day === undefined ? undefined : { day, pk };
}

/** The place of the latest day that begins with a number that is not larger. */
async function likelyPlace(sql: Sql, days: number[], pk: number): Promise<number> {
  let [low, high] = [0, days.length - 1];
  // Most pages are near the latest day, so a search with growing steps precedes the binary search.
  for (let step = 0; low < high; step = 2 * step + 1) {
    const middle = Math.min(low + step, Math.floor((low + high) / 2));
    const first = await firstNumber(sql, days[middle] ?? 0);
    if (first === undefined || first > pk) {
      low = middle + 1;
    } else {
      high = middle;
      step = Number.POSITIVE_INFINITY;
    }
  }
  return low;
}

async function has({ query }: Sql, day: number, pk: number): Promise<boolean> {
  const rows = await query(
    "SELECT 1 FROM check_results WHERE created_at >= $1 AND created_at < $2 AND pk = $3",
    [day, day + DAY, pk],
  );
  return rows.length > 0;
}
