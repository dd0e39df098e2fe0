import { and, eq, sql } from "drizzle-orm";
import { baselineStart } from "../../domain/checks/latency-baseline.ts";
import { hourOf } from "../../domain/results/rollup.ts";
import type { Tx } from "../tx.ts";

const HOUR = 60 * 60 * 1000;

/**
 * Empties the memory and the baselines of monitors whose targets change. Their rollups keep the latencies of the previous
 * target. So the latencies in the rollups of the current hour are stored, and `baselines.ts` subtracts them later.
 *
 * @param now milliseconds since 1970
 */
export async function restartBaselines(
  { db, sets, tables }: Tx,
  monitorPks: readonly number[],
  now: number,
): Promise<void> {
  if (monitorPks.length === 0) return;
  const { hourlyRollups, locationStates } = tables;
  const { monitorPk, location, start } = hourlyRollups;
  const hour = hourOf(now) / HOUR;
  const sums = await db
    .select({
      ...{ monitorPk, location },
      count: sql<number>`sum(${hourlyRollups.latencyCount})`,
      sum: sql<number>`sum(${hourlyRollups.latencySum})`,
      squares: sql<number>`sum(${hourlyRollups.latencySquares})`,
    })
    .from(hourlyRollups)
    .where(and(sets.among(monitorPk, monitorPks), eq(start, hour)))
    .groupBy(monitorPk, location);
  await db
    .update(locationStates)
    .set({
      memory: null,
      baselineCount: 0,
      baselineSum: 0,
      baselineSquares: 0,
      baselineStart: baselineStart(now) / HOUR,
      restartHour: hour,
      restartCount: 0,
      restartSum: 0,
      restartSquares: 0,
    })
    .where(sets.among(locationStates.monitorPk, monitorPks));
  await sets.update(
    locationStates,
    sums.map((row) => ({
      where: { monitorPk: row.monitorPk, location: row.location },
      set: {
        restartCount: Number(row.count),
        restartSum: Number(row.sum),
        restartSquares: Number(row.squares),
      },
    })),
  );
}
