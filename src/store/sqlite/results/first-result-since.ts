import type { Database } from "../open.ts";

/**
 * About where the results since a moment begin: results are written nearly in the order of their times, so that a
 * search by halves finds it without an index on time.
 *
 * @returns the number of a result; those before it are older, but for the few that were written late
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
  let low = ends?.low ?? 0;
  let high = (ends?.high ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = at.get(middle);
    if (found && found.createdAt < since) low = found.pk + 1;
    else high = middle;
  }
  return low;
}
