import { eq, sql } from "drizzle-orm";
import { nextCheckAt } from "../../../domain/checks/check-slot.ts";
import { baselineStart, emptyBaseline } from "../../../domain/checks/latency-baseline.ts";
import { silentHeartbeat } from "../../../domain/heartbeats/heartbeat.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import {
  type JudgedEvent,
  judgeEvent,
  type MonitorEvent,
  type NewResult,
} from "../../../domain/monitors/monitor-event.ts";
import { isNotable, type Status, troubleFrom } from "../../../domain/monitors/status.ts";
import { insertDeliveries } from "../../alerting/outbox.ts";
import { resultId } from "../../ids.ts";
import { commitWithoutSync } from "../durability.ts";
import { oncePerDatabase } from "../once-per-database.ts";
import type { Database } from "../open.ts";
import { asStored, insertResult } from "../results/result-row.ts";
import { monitors, organizations } from "../schema.ts";
import { addToRollups, currentBaseline } from "../statistics/rollups.ts";
import { transitionContext } from "./transition-context.ts";

/** Something that happened to a monitor, to be recorded. */
export type Recording =
  /**
   * @property revision that of the monitor when the check began @property dueAt to measure by @property startAt when it
   *   was to begin: the next one is due in the slot after that; both in milliseconds since 1970
   */
  | (MonitorEvent & { kind: "check"; monitorPk: number; revision: number; dueAt?: number; startAt?: number })
  | (MonitorEvent & { kind: "checkin"; monitorId: string })
  | (MonitorEvent & { kind: "silence"; monitorPk: number });

export interface Recorded {
  organizationPk: number;
  type: MonitorType;
  status: Status;
  /** How many runs of a job were missed. */
  missed: number;
  /** When the next check is due; null if none is. */
  nextCheckAt: number | null;
  /** Whether channels may have something to deliver now. */
  notable: boolean;
}

/**
 * Records a group of happenings in one transaction: for each the results, the rollups, the monitor's new status and
 * next check, and the deliveries of a change; or, if anything fails, nothing of any. See `commit.ts` for when it is on
 * the disk.
 *
 * @returns for each what was recorded, or null where its monitor is gone, was changed since the check began, or is
 *   none that takes checkins
 */
export async function record(db: Database, recordings: Recording[]): Promise<(Recorded | null)[]> {
  return commitWithoutSync(db, () => recordings.map((recording) => recordOne(db, recording)));
}

type Row = typeof monitors.$inferSelect;

/*
 * These run for each result. Built by drizzle each time they would take ten times as long as SQLite takes to run them.
 */
const selectByPk = oncePerDatabase((db) =>
  db
    .select()
    .from(monitors)
    .where(eq(monitors.pk, sql.placeholder("pk")))
    .prepare(),
);
const selectById = oncePerDatabase((db) =>
  db
    .select()
    .from(monitors)
    .where(eq(monitors.id, sql.placeholder("id")))
    .prepare(),
);
const UPDATE_MONITOR =
  "UPDATE monitors SET status_since = ?, trouble_since = ?, last_result_pk = ?, memory = ?, baseline = ?, heartbeat = ?";

function recordOne(db: Database, recording: Recording): Recorded | null {
  const monitor = findMonitor(db, recording);
  if (!monitor) return null;
  const { at } = recording;
  const decision = judgeEvent(subjectOf(db, monitor, at), recording);
  // A clock that was put back meanwhile makes the start lie ahead.
  const startAt = Math.min(at, (recording.kind === "check" && recording.startAt) || at);
  return write(db, monitor, decision, at, startAt);
}

/**
 * Writes a decision, within a transaction: every result with what follows from it, and the monitor as it stands then.
 *
 * @param startAt from when on the next check is due: one that took all of its interval has not used up the next slot
 */
export function write(
  db: Database,
  monitor: Row,
  { outcomes, ...left }: JudgedEvent,
  at: number,
  startAt = at,
): Recorded {
  let now = monitor;
  let notable = false;
  for (const outcome of outcomes) {
    const before = now;
    now = { ...before, ...standing(before, outcome), lastResultPk: insertResult(db, monitor, outcome) };
    notable = follow(db, { before, now }, outcome) || notable;
  }
  const { status, statusSince, troubleSince, lastResultPk } = now;
  const nextCheckAt = nextSlot(monitor, startAt);
  updateMonitor(db, monitor, {
    status,
    statusSince,
    troubleSince,
    lastResultPk,
    ...storedState(monitor, left, at),
    nextCheckAt,
  });
  const missed = outcomes.filter((outcome) => outcome.status === "havent_heard").length;
  return { organizationPk: monitor.organizationPk, type: monitor.type, status, missed, nextCheckAt, notable };
}

/** How a monitor stands after a result. */
function standing({ status: before, statusSince, troubleSince }: Row, { status, createdAt }: NewResult) {
  return {
    status,
    statusSince: status === before ? statusSince : createdAt,
    troubleSince: troubleFrom(status, troubleSince, createdAt),
  };
}

function findMonitor(db: Database, recording: Recording): Row | undefined {
  if (recording.kind === "checkin") {
    const named = selectById(db).get({ id: recording.monitorId });
    return named?.type === "SCHEDULED" ? named : undefined;
  }
  const found = selectByPk(db).get({ pk: recording.monitorPk });
  if (recording.kind === "silence") return found;
  return found?.revision === recording.revision ? found : undefined;
}

function subjectOf(db: Database, { pk, heartbeat, deadline, baseline, ...monitor }: Row, now: number) {
  const stored = baseline ?? { ...emptyBaseline, since: baselineStart(now) };
  return {
    ...monitor,
    heartbeat: { ...silentHeartbeat, ...heartbeat, deadline },
    baseline: currentBaseline(db, { pk, stored }, now),
  };
}

/** The columns that hold what a decision leaves; null where there never was anything to keep, as for other types. */
function storedState(
  before: Row,
  { memory, baseline, heartbeat }: Omit<JudgedEvent, "outcomes">,
  now: number,
) {
  const { deadline, ...rhythm } = heartbeat;
  return {
    memory,
    baseline:
      before.baseline === null && baseline.count === 0
        ? null
        : { ...before.baseline, ...baseline, since: baselineStart(now) },
    heartbeat: rhythm.lastCheckinAt === null ? null : rhythm,
    deadline,
  };
}

/** Writes what follows from a result: the rollups, and the deliveries of a change. @returns whether there are any */
function follow(db: Database, { before, now }: { before: Row; now: Row }, outcome: NewResult): boolean {
  const { pk, type, lastResultPk: resultPk } = now;
  addToRollups(db, { monitorPk: pk, type, ...outcome });
  if (resultPk === null || !now.enabled || !isNotable(before.status, outcome.status)) return false;
  const past = transitionContext(db, before, { resultPk, troubleSince: now.troubleSince });
  const told = { id: resultId(resultPk), ...asStored(outcome) };
  const transition = { ...transitionOf(db, before, told), ...past };
  insertDeliveries(db, { monitorPk: pk, resultPk, transition }, outcome.createdAt);
  return true;
}

/** A column of an index is named only where it changes, for its index is written for each update that names it. */
function updateMonitor(db: Database, before: Row, changes: Changes): void {
  const { status, statusSince, troubleSince, lastResultPk, deadline, nextCheckAt } = changes;
  let update = UPDATE_MONITOR;
  const values = [statusSince, troubleSince, lastResultPk, ...jsonOf(changes)];
  const set = (column: string, value: string | number | null) => {
    update += `, ${column} = ?`;
    values.push(value);
  };
  if (status !== before.status) set("status", status);
  if (deadline !== before.deadline) set("deadline", deadline);
  if (nextCheckAt !== before.nextCheckAt) set("next_check_at", nextCheckAt);
  db.$client.query(`${update} WHERE pk = ?`).run(...values, before.pk);
}

function jsonOf({ memory, baseline, heartbeat }: Changes): (string | number | null)[] {
  return [memory, baseline, heartbeat].map((value) => value && JSON.stringify(value));
}

type Changes = ReturnType<typeof storedState> &
  Pick<Row, "status" | "statusSince" | "troubleSince" | "lastResultPk" | "nextCheckAt">;

function nextSlot({ id, type, config, enabled }: Row, now: number): number | null {
  return enabled && type !== "SCHEDULED" ? nextCheckAt(id, config.interval, now) : null;
}

function transitionOf(db: Database, monitor: Row, result: NewResult & { id: string }) {
  const organization = db
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(eq(organizations.pk, monitor.organizationPk))
    .get();
  if (!organization) throw new Error(`monitor ${monitor.pk} has no organization`);
  const { id, name, type, config, status: previousStatus } = monitor;
  const { status, ...told } = result;
  return { organization, monitor: { id, name, type, config }, previousStatus, status, result: told };
}
