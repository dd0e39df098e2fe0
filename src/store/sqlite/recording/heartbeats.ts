import { and, eq, isNotNull, lt } from "drizzle-orm";
import { emptyBaseline } from "../../../domain/checks/latency-baseline.ts";
import {
  afterOutage,
  afterSetback,
  type HeartbeatState,
  silentHeartbeat,
} from "../../../domain/heartbeats/heartbeat.ts";
import type { MonitorConfig } from "../../../domain/monitors/monitor.ts";
import { missedRun } from "../../../domain/monitors/monitor-event.ts";
import { commitWithoutSync } from "../durability.ts";
import type { Database, Queries } from "../open.ts";
import { monitors, service } from "../schema.ts";
import { type Recorded, write } from "./record.ts";

/** The SCHEDULED monitors whose deadline has passed. @returns their inner numbers, the latest first */
export async function listOverdue(db: Database, now: number, limit: number): Promise<number[]> {
  return db
    .select({ pk: monitors.pk })
    .from(monitors)
    .where(lt(monitors.deadline, now))
    .orderBy(monitors.deadline)
    .limit(limit)
    .all()
    .map(({ pk }) => pk);
}

/** Keeps that this service runs. */
export async function noteAlive(db: Database, now: number): Promise<void> {
  commitWithoutSync(db, (tx) => keepAlive(tx, now));
}

/** What to do with a monitor whose rhythm can't be computed; it keeps its deadline. */
export type OnUncomputable = (monitorPk: number, error: unknown) => void;

/**
 * Takes the time in which this service did not run out of every deadline: silence then proves nothing (decisions 3,
 * rule 5). What had passed before is recorded. If the clock was set back since, deadlines move back instead. To be
 * called once, before anything else is.
 *
 * @returns what was recorded of the monitors that had missed a run before
 */
export async function excuseOutage(
  db: Database,
  now: number,
  onUncomputable: OnUncomputable,
): Promise<Recorded[]> {
  return db.transaction(
    (tx) => {
      const before = tx.select().from(service).get();
      const recorded = before ? excuseAll(db, { from: before.aliveAt, to: now }, onUncomputable) : [];
      keepAlive(tx, now);
      return recorded;
    },
    { behavior: "immediate" },
  );
}

/** Moves every deadline back with the clock. @param from what the clock would show if it had not been set back */
export async function recallDeadlines(
  db: Database,
  { from, to }: { from: number; to: number },
  onUncomputable: OnUncomputable,
): Promise<void> {
  commitWithoutSync(db, (tx) => {
    decideAll(db, to, onUncomputable, (state, config) => ({
      state: afterSetback(state, config, { from, to }),
    }));
    keepAlive(tx, to);
  });
}

/** Puts off the next look at a monitor, so that one whose rhythm can't be computed doesn't hold up others. */
export async function postponeDeadline(db: Database, monitorPk: number, until: number): Promise<void> {
  const late = and(eq(monitors.pk, monitorPk), isNotNull(monitors.deadline));
  commitWithoutSync(db, (tx) => tx.update(monitors).set({ deadline: until }).where(late).run());
}

function keepAlive(tx: Queries, now: number): void {
  tx.insert(service)
    .values({ pk: 1, aliveAt: now })
    .onConflictDoUpdate({ target: service.pk, set: { aliveAt: now } })
    .run();
}

function excuseAll(
  db: Database,
  outage: { from: number; to: number },
  onUncomputable: OnUncomputable,
): Recorded[] {
  const { from, to } = outage;
  if (from === to) return [];
  return decideAll(db, to, onUncomputable, (state, config) =>
    from < to ? afterOutage(state, config, outage) : { state: afterSetback(state, config, outage) },
  );
}

/** Decides on every monitor that waits for a checkin, within a transaction. */
function decideAll(
  db: Database,
  now: number,
  onUncomputable: OnUncomputable,
  decide: (
    state: HeartbeatState,
    config: MonitorConfig<"SCHEDULED">,
  ) => { state: HeartbeatState; missedAt?: number[] },
): Recorded[] {
  const recorded: Recorded[] = [];
  const waiting = and(eq(monitors.type, "SCHEDULED"), isNotNull(monitors.deadline));
  // In this order, jobs with the same schedule follow each other: its runs are computed once.
  for (const monitor of db.select().from(monitors).where(waiting).orderBy(monitors.config).all()) {
    const before = { ...silentHeartbeat, ...monitor.heartbeat, deadline: monitor.deadline };
    let decided: ReturnType<typeof decide>;
    try {
      decided = decide(before, monitor.config as MonitorConfig<"SCHEDULED">);
    } catch (error) {
      onUncomputable(monitor.pk, error);
      continue;
    }
    const { state: heartbeat, missedAt = [] } = decided;
    const decision = { outcomes: missedAt.map(missedRun), memory: null, baseline: emptyBaseline, heartbeat };
    const written = write(db, monitor, decision, now);
    if (written.missed > 0) recorded.push(written);
  }
  return recorded;
}
