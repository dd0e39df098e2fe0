import { eq } from "drizzle-orm";
import { type Decision, decide, type Happening, type Outcome } from "../domain/decision.ts";
import { baselineStart, emptyBaseline } from "../domain/degraded.ts";
import { silentHeartbeat } from "../domain/heartbeat.ts";
import { nextCheckAt } from "../domain/schedule.ts";
import { isNotable, type Status } from "../domain/status.ts";
import { insertDeliveries } from "./deliveries.ts";
import { resultId } from "./ids.ts";
import { toMicroseconds } from "./latency.ts";
import type { Database, Queries } from "./open.ts";
import { addToRollups, currentBaseline } from "./rollups.ts";
import { checkResults, monitors, organizations } from "./schema.ts";

/** Something that happened to a monitor, to be recorded. */
export type Recording =
  /** @property revision that of the monitor when the check began */
  | (Happening & { kind: "check"; monitorPk: number; revision: number })
  | (Happening & { kind: "checkin"; monitorId: string })
  | (Happening & { kind: "silence"; monitorPk: number });

export interface Recorded {
  status: Status;
  /** Whether channels may have something to deliver now. */
  notable: boolean;
}

/**
 * Records a group of happenings in one transaction: for each the results, the rollups, the monitor's new status and
 * next check, and the deliveries of a change; or, if anything fails, nothing of any.
 *
 * @returns for each what was recorded, or null where its monitor is gone, was changed since the check began, or is
 *   none that takes checkins
 */
export async function record(db: Database, recordings: Recording[]): Promise<(Recorded | null)[]> {
  return db.transaction((tx) => recordings.map((recording) => recordOne(tx, recording)), {
    behavior: "immediate",
  });
}

type Row = typeof monitors.$inferSelect;

function recordOne(tx: Queries, recording: Recording): Recorded | null {
  const monitor = findMonitor(tx, recording);
  if (!monitor) return null;
  const decision = decide(subjectOf(tx, monitor, recording.at), recording);
  return write(tx, monitor, decision, recording.at);
}

/** Writes a decision: every result with what follows from it, and the monitor as it stands then. */
export function write(tx: Queries, monitor: Row, { outcomes, ...left }: Decision, at: number): Recorded {
  let { status, lastResultPk } = monitor;
  let notable = false;
  for (const outcome of outcomes) {
    lastResultPk = insertResult(tx, monitor.pk, outcome);
    notable = follow(tx, { ...monitor, status, lastResultPk }, outcome) || notable;
    status = outcome.status;
  }
  tx.update(monitors)
    .set({ status, lastResultPk, ...storedState(left, at), nextCheckAt: nextSlot(monitor, at) })
    .where(eq(monitors.pk, monitor.pk))
    .run();
  return { status, notable };
}

function findMonitor(tx: Queries, recording: Recording): Row | undefined {
  if (recording.kind === "checkin") {
    const named = tx.select().from(monitors).where(eq(monitors.id, recording.monitorId)).get();
    return named?.type === "SCHEDULED" ? named : undefined;
  }
  const found = tx.select().from(monitors).where(eq(monitors.pk, recording.monitorPk)).get();
  if (recording.kind === "silence") return found;
  return found?.revision === recording.revision ? found : undefined;
}

function subjectOf(tx: Queries, { pk, heartbeat, deadline, baseline, ...monitor }: Row, now: number) {
  const known = baseline ?? { ...emptyBaseline, since: now };
  return {
    ...monitor,
    heartbeat: { ...silentHeartbeat, ...heartbeat, deadline },
    baseline: currentBaseline(tx, { pk, baseline: known, since: known.since }, now),
  };
}

/** The columns that hold what a decision leaves; null where there is nothing to keep, as for other types. */
function storedState({ memory, baseline, heartbeat }: Omit<Decision, "outcomes">, now: number) {
  const { deadline, ...rhythm } = heartbeat;
  return {
    memory,
    baseline: baseline.count === 0 ? null : { ...baseline, since: baselineStart(now) },
    heartbeat: rhythm.lastCheckinAt === null ? null : rhythm,
    deadline,
  };
}

/**
 * Writes what follows from a result: the rollups, and the deliveries of a change.
 *
 * @param monitor as it stood before
 * @returns whether there may be something to deliver
 */
function follow(tx: Queries, monitor: Row & { lastResultPk: number }, outcome: Outcome): boolean {
  const { pk, type, lastResultPk: resultPk } = monitor;
  addToRollups(tx, { monitorPk: pk, type, ...outcome });
  if (!monitor.enabled || !isNotable(monitor.status, outcome.status)) return false;
  const transition = transitionOf(tx, monitor, { id: resultId(resultPk), ...outcome });
  insertDeliveries(tx, { monitorPk: pk, resultPk, transition }, outcome.createdAt);
  return true;
}

function insertResult(tx: Queries, monitorPk: number, { latencyMs, ...row }: Outcome): number {
  return tx
    .insert(checkResults)
    .values({ ...row, monitorPk, latency: toMicroseconds(latencyMs) })
    .returning({ pk: checkResults.pk })
    .get().pk;
}

function nextSlot({ id, type, config, enabled }: Row, now: number): number | null {
  return enabled && type !== "SCHEDULED" ? nextCheckAt(id, config.interval, now) : null;
}

function transitionOf(tx: Queries, monitor: Row, result: Outcome & { id: string }) {
  const organization = tx
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(eq(organizations.pk, monitor.organizationPk))
    .get();
  if (!organization) throw new Error(`monitor ${monitor.pk} has no organization`);
  const { id, name, type, config, status: previousStatus } = monitor;
  const { status, ...told } = result;
  return { organization, monitor: { id, name, type, config }, previousStatus, status, result: told };
}
