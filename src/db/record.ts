import { eq } from "drizzle-orm";
import { type Judgement, judgeCheck, judgeCheckin } from "../domain/judge.ts";
import type { Evidence } from "../domain/observation.ts";
import { nextCheckAt } from "../domain/schedule.ts";
import { isNotable, type Status } from "../domain/status.ts";
import { insertDeliveries } from "./deliveries.ts";
import { resultId } from "./ids.ts";
import { toMicroseconds } from "./latency.ts";
import type { Database, Queries } from "./open.ts";
import { checkResults, monitors, organizations } from "./schema.ts";

/** Something that happened to a monitor, to be recorded. @property at milliseconds since 1970 */
export type Recording =
  /** @property revision that of the monitor when the check began */
  | { kind: "check"; monitorPk: number; revision: number; evidence: Evidence; at: number }
  | { kind: "checkin"; monitorId: string; status: string | undefined; at: number };

export interface Recorded {
  status: Status;
  /** Whether channels may have something to deliver now. */
  notable: boolean;
}

/**
 * Records a group of happenings in one transaction: for each the result, the monitor's new status and next check,
 * and the deliveries of a change; or, if anything fails, nothing of any.
 *
 * @returns for each what was recorded, or null where its monitor is gone, was changed since the check began, or is
 *   none that takes checkins
 */
export async function record(db: Database, recordings: Recording[]): Promise<(Recorded | null)[]> {
  return db.transaction((tx) => recordings.map((recording) => recordOne(tx, recording)), {
    behavior: "immediate",
  });
}

function recordOne(tx: Queries, recording: Recording): Recorded | null {
  const monitor = findSubject(tx, recording);
  if (!monitor) return null;
  const { status, latencyMs, detail, memory } = judge(monitor, recording);
  const resultPk = insertResult(tx, monitor.pk, { status, latencyMs, detail, createdAt: recording.at });
  tx.update(monitors)
    .set({
      status,
      memory,
      ...(recording.kind === "check" && { nextCheckAt: nextSlot(monitor, recording.at) }),
    })
    .where(eq(monitors.pk, monitor.pk))
    .run();
  const notable = monitor.enabled && isNotable(monitor.status, status);
  if (notable) {
    const transition = transitionOf(tx, monitor, {
      id: resultId(resultPk),
      status,
      latencyMs,
      detail,
      createdAt: recording.at,
    });
    insertDeliveries(tx, { monitorPk: monitor.pk, resultPk, transition }, recording.at);
  }
  return { status, notable };
}

type Subject = typeof monitors.$inferSelect;

function findSubject(tx: Queries, recording: Recording): Subject | undefined {
  if (recording.kind === "checkin") {
    const named = tx.select().from(monitors).where(eq(monitors.id, recording.monitorId)).get();
    return named?.type === "SCHEDULED" ? named : undefined;
  }
  const checked = tx.select().from(monitors).where(eq(monitors.pk, recording.monitorPk)).get();
  return checked?.revision === recording.revision ? checked : undefined;
}

function judge(monitor: Subject, recording: Recording): Judgement {
  if (recording.kind === "check") return judgeCheck(monitor, recording.evidence, recording.at);
  const { memory } = monitor;
  return { status: judgeCheckin(recording.status), latencyMs: null, detail: null, memory };
}

type Result = Pick<Judgement, "status" | "latencyMs" | "detail"> & { createdAt: number };

function insertResult(tx: Queries, monitorPk: number, result: Result): number {
  const { latencyMs, ...row } = result;
  return tx
    .insert(checkResults)
    .values({ ...row, monitorPk, latency: toMicroseconds(latencyMs) })
    .returning({ pk: checkResults.pk })
    .get().pk;
}

function nextSlot(monitor: Subject, now: number): number | null {
  const { interval } = monitor.config;
  return monitor.enabled && interval !== undefined ? nextCheckAt(monitor.id, interval, now) : null;
}

function transitionOf(tx: Queries, monitor: Subject, result: Result & { id: string }) {
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
