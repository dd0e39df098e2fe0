import { and, eq, sql } from "drizzle-orm";
import { baselineStart } from "../../domain/checks/latency-baseline.ts";
import { hourOf } from "../../domain/results/rollup.ts";
import type { Tx } from "../tx.ts";

const HOUR = 60 * 60 * 1000;

/**
 * Empties the memory and the baselines of a monitor whose target changes. Its rollups keep the latencies of the previous
 * target. So the latencies in the rollup of the current hour are stored, and `baselines.ts` subtracts them later.
 *
 * @param now milliseconds since 1970
 */
export async function restartBaseline({ db, tables }: Tx, monitorPk: number, now: number): Promise<void> {
  const { hourlyRollups, locationStates } = tables;
  const hour = hourOf(now) / HOUR;
  const sums = await db
    .select({
      location: hourlyRollups.location,
      count: sql<number>`sum(${hourlyRollups.latencyCount})`,
      sum: sql<number>`sum(${hourlyRollups.latencySum})`,
      squares: sql<number>`sum(${hourlyRollups.latencySquares})`,
    })
    .from(hourlyRollups)
    .where(and(eq(hourlyRollups.monitorPk, monitorPk), eq(hourlyRollups.start, hour)))
    .groupBy(hourlyRollups.location);
  const ofMonitor = eq(locationStates.monitorPk, monitorPk);
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
    .where(ofMonitor);
  for (const { location, count, sum, squares } of sums) {
    await db
      .update(locationStates)
      .set({ restartCount: Number(count), restartSum: Number(sum), restartSquares: Number(squares) })
      .where(and(ofMonitor, eq(locationStates.location, location)));
  }
}
