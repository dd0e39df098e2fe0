import type { Database } from "../open.ts";

/** Late results come in batches. Among this many in a row, one is not late. */
const LONGEST_BATCH = 1000;

/**
 * Finds the first result since a moment, approximately. Results are written almost in the order of their times, so a
 * binary search needs no index on time. Late results (behavior 13.28) are not in that order.
 *
 * @param since milliseconds since 1970
 * @returns the number of a result; results before it are older, except for a few that were written late
 */
export function firstResultSince(db: Database, since: number): number {
  const at = db.$client.query<{ pk: number; createdAt: number }, [number]>(
    "SELECT pk, created_at AS createdAt FROM check_results WHERE pk >= ? ORDER BY pk LIMIT 1",
  );
  const ends = db.$client
    .query<{ low: number | null; high: number | null }, []>(
      "SELECT (SELECT min(pk) FROM check_results) AS low, (SELECT max(pk) FROM check_results) AS high",
    )
    .get();
  const hasLocations = db.$client.query("SELECT 1 FROM locations LIMIT 1").get() !== null;
  const later = db.$client.query<{ found: number }, [number, number]>(
    `SELECT 1 AS found FROM (SELECT created_at FROM check_results WHERE pk > ? ORDER BY pk LIMIT ${LONGEST_BATCH})
     WHERE created_at >= ? LIMIT 1`,
  );
  const isBefore = ({ pk, createdAt }: { pk: number; createdAt: number }) =>
    createdAt < since && !(hasLocations && later.get(pk, since));
  let low = ends?.low ?? 0;
  let high = (ends?.high ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = at.get(middle);
    if (found && isBefore(found)) low = found.pk + 1;
    else high = middle;
  }
  return low;
}
