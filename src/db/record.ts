import { eq } from "drizzle-orm";
import { type Decision, decide, type Happening, type Outcome } from "../domain/decision.ts";
import { baselineStart, emptyBaseline } from "../domain/degraded.ts";
import { silentHeartbeat } from "../domain/heartbeat.ts";
import { nextCheckAt } from "../domain/schedule.ts";
import { isNotable, type Status, troubleFrom } from "../domain/status.ts";
import { resultId } from "./ids.ts";
import { toMicroseconds } from "./latency.ts";
import type { Database, Queries } from "./open.ts";
import { insertDeliveries } from "./outbox.ts";
import { pastOf } from "./past.ts";
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
  let now = monitor;
  let notable = false;
  for (const outcome of outcomes) {
    const before = now;
    now = { ...before, ...standing(before, outcome), lastResultPk: insertResult(tx, monitor.pk, outcome) };
    notable = follow(tx, { before, now }, outcome) || notable;
  }
  const { status, statusSince, troubleSince, lastResultPk } = now;
  tx.update(monitors)
    .set({
      status,
      statusSince,
      troubleSince,
      lastResultPk,
      ...storedState(left, at),
      nextCheckAt: nextSlot(monitor, at),
    })
    .where(eq(monitors.pk, monitor.pk))
    .run();
  return { status, notable };
}

/** How a monitor stands after a result. */
function standing({ status: before, statusSince, troubleSince }: Row, { status, createdAt }: Outcome) {
  return {
    status,
    statusSince: status === before ? statusSince : createdAt,
    troubleSince: troubleFrom(status, troubleSince, createdAt),
  };
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

/** Writes what follows from a result: the rollups, and the deliveries of a change. @returns whether there are any */
function follow(tx: Queries, { before, now }: { before: Row; now: Row }, outcome: Outcome): boolean {
  const { pk, type, lastResultPk: resultPk } = now;
  addToRollups(tx, { monitorPk: pk, type, ...outcome });
  if (resultPk === null || !now.enabled || !isNotable(before.status, outcome.status)) return false;
  const past = pastOf(tx, before, { resultPk, troubleSince: now.troubleSince });
  const transition = { ...transitionOf(tx, before, { id: resultId(resultPk), ...outcome }), ...past };
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
