import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { baselineStart } from "../../domain/checks/latency-baseline.ts";
import { HOUR } from "../../domain/duration.ts";
import type { Placement } from "../../domain/locations/place.ts";
import { heartbeatAfter, type MonitorUpdatePlan } from "../../domain/monitors/monitor-update.ts";
import { pick } from "../../domain/pick.ts";
import { hourOf } from "../../domain/results/rollup.ts";
import type { StoredPlacement } from "../locations/monitor-locations.ts";
import { restartPlaces } from "../locations/work.ts";
import { heartbeatOf, type StoredHeartbeat, storedHeartbeat } from "../recording/stored-heartbeat.ts";
import { foldOpenHours } from "../results/hour-columns.ts";
import type { TimedTx, Tx } from "../tx.ts";

/** An update that makes checks under way invalid. @property monitor before the update */
interface Revised {
  monitor: Tx["tables"]["monitors"]["$inferSelect"];
  plan: Omit<MonitorUpdatePlan, keyof Placement> & StoredPlacement;
}

/** Saves updates in the states of monitors, which are locked. */
export async function restartStates(tx: TimedTx, revised: readonly Revised[]): Promise<void> {
  await foldOpenHours(tx, pksOf(revised));
  const rhythms = await rhythmsAfter(tx, revised);
  await tx.sets.update(
    tx.tables.monitorStates,
    revised.map(({ monitor: { pk }, plan: { nextCheckAt, locations } }) => {
      const rhythm = rhythms.get(pk) ?? { rhythm: null, deadline: null };
      const restarted = { nextCheckAt, suspicion: null, placesSince: locations && tx.now };
      return { where: { monitorPk: pk }, set: { ...restarted, ...rhythm } };
    }),
  );
  await restartPlaces(
    tx,
    revised.map(({ monitor, plan }) => ({
      pk: monitor.pk,
      before: monitor.locations,
      after: plan.locations,
    })),
  );
  await restartBaselines(tx, pksOf(revised.filter(({ plan }) => plan.isOtherTarget)));
  await endOutages(tx, pksOf(revised.filter(({ plan }) => plan.isPaused)));
}

/** The rhythms and deadlines of the jobs among some monitors, by the numbers of the monitors. */
async function rhythmsAfter(
  { db, sets, tables: { monitorStates }, now }: TimedTx,
  revised: readonly Revised[],
): Promise<Map<number, StoredHeartbeat>> {
  const jobs = new Map(
    revised.flatMap((one) => (one.monitor.type === "SCHEDULED" ? [[one.monitor.pk, one] as const] : [])),
  );
  if (jobs.size === 0) return new Map();
  const columns = pick(monitorStates, ["monitorPk", "rhythm", "deadline"]);
  const isJob = sets.among(monitorStates.monitorPk, [...jobs.keys()]);
  const rows = await db.select(columns).from(monitorStates).where(isJob);
  return new Map(
    rows.flatMap(({ monitorPk, ...stored }) => {
      const job = jobs.get(monitorPk);
      return job ? [[monitorPk, rhythmAfter(stored, job, now)] as const] : [];
    }),
  );
}

function rhythmAfter(stored: StoredHeartbeat, { monitor: before, plan: after }: Revised, now: number) {
  return storedHeartbeat(heartbeatAfter(heartbeatOf(stored), { before, after }, now), after.config);
}

/** Ends the open outages of monitors that are paused. */
async function endOutages(
  { db, sets, tables: { monitorStates, outages }, now }: TimedTx,
  monitorPks: readonly number[],
): Promise<void> {
  if (monitorPks.length === 0) return;
  const open = and(sets.among(outages.monitorPk, monitorPks), isNull(outages.endedAt));
  await db.update(outages).set({ endedAt: now }).where(open);
  const hasOutage = and(sets.among(monitorStates.monitorPk, monitorPks), isNotNull(monitorStates.outagePk));
  await db.update(monitorStates).set({ outagePk: null }).where(hasOutage);
}

function pksOf(revised: readonly Revised[]): number[] {
  return revised.map(({ monitor }) => monitor.pk);
}

/**
 * Empties the memory and the baselines of monitors whose targets change. Their rollups keep the latencies of the previous
 * target. So the latencies in the rollups of the current hour are stored, and `hour-columns.ts` subtracts them later.
 */
async function restartBaselines(
  { db, sets, tables, now }: TimedTx,
  monitorPks: readonly number[],
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
