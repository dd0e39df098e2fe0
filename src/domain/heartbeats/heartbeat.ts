import { excusedUntil, isByStarts, type JobRuns, nextOverrun, type RunConfig, runLimit } from "./job-runs.ts";
import { addCheckin, type CheckinHistory } from "./learned-period.ts";
import { deadlineAfterCheckin, type NextDeadline, type RhythmConfig } from "./next-deadline.ts";

/**
 * The state of a SCHEDULED monitor, from which its deadline follows (behavior 3); stored as JSON. Times are
 * milliseconds since 1970.
 */
export interface HeartbeatState extends CheckinHistory {
  /** The run that the deadline belongs to; null without `cron`. */
  run: number | null;
  /** Null before the first check-in, and while the monitor is paused (behavior 3.1, 3.23). */
  deadline: number | null;
  /** Whether an outage of stillup gave this silence a new window. It does so once per silence, see `afterOutage`. */
  excused: boolean;
  /** The end of the maintenance that excused this silence (behavior 14.38); null if none did. */
  excusedUntil: number | null;
  /** How long stillup did not run, or by how much its clock jumped ahead, since the last check-in; milliseconds. */
  unseen?: number;
  /** Absent for a job that never reported a start or an output. */
  runs?: JobRuns;
}

/** The end of the maintenance window that a monitor is in at a moment; null if it is in none. Milliseconds since 1970. */
export type WindowEnd = (at: number) => number | null;

/** The configured rhythm and limits of a job. */
export type JobConfig = RhythmConfig & RunConfig;

/** The state of a monitor before its first check-in. */
export const silentHeartbeat: HeartbeatState = {
  lastCheckinAt: null,
  gaps: [],
  pauses: [],
  run: null,
  deadline: null,
  excused: false,
  excusedUntil: null,
};

/** A new silence can be excused again. */
export const NOT_EXCUSED = { excused: false, excusedUntil: null };

export const SEEN = { unseen: 0 };

/**
 * The history that decides on the rhythm: the check-ins or, while each of them ends a run, the starts (behavior 18.21). The latest
 * start counts also while its run is open.
 */
export function rulingHistory(state: HeartbeatState, { grace }: JobConfig): CheckinHistory {
  const { runs } = state;
  if (!isByStarts(runs)) return state;
  const startedAt = runs.open.at(-1)?.startedAt ?? 0;
  return startedAt > (runs.starts.lastCheckinAt ?? 0)
    ? addCheckin(runs.starts, startedAt, grace)
    : runs.starts;
}

export function rhythmOf(state: HeartbeatState, config: JobConfig) {
  return { config, history: rulingHistory(state, config) };
}

/** When a job is late that neither checks in nor has an open run that keeps it from being late; null while it is paused. */
export function lateAt(state: HeartbeatState, config: JobConfig): number | null {
  return state.deadline === null ? null : Math.max(state.deadline, excusedByRun(state, config) ?? 0);
}

/**
 * When an open run stops keeping the job from being late (behavior 18.18); null if none does. While its limit is unknown, the deadline by
 * the check-ins holds too, so that the first starts that decide on the rhythm make no job late whose runs take long.
 */
export function excusedByRun(state: HeartbeatState, config: JobConfig): number | null {
  const { runs, lastCheckinAt } = state;
  const until = excusedUntil(runs, config);
  if (until === null || lastCheckinAt === null || !isByStarts(runs) || runLimit(runs, config) !== null)
    return until;
  return Math.max(until, deadlineAfterCheckin({ config, history: state }, lastCheckinAt, null).deadline);
}

/** When the job is to be judged next: when it is late, or a run has taken too long. */
export function judgedAt(state: HeartbeatState, config: JobConfig): number | null {
  const late = lateAt(state, config);
  return late === null ? null : Math.min(late, nextOverrun(state.runs, config) ?? late);
}

/** A pause: the monitor has no deadline (behavior 3.23). */
export function afterPause(state: HeartbeatState): HeartbeatState {
  return { ...state, run: null, deadline: null };
}

export function nextDeadlineOf({ run, deadline }: HeartbeatState): NextDeadline | null {
  return deadline === null ? null : { run, deadline };
}
