import { type HeartbeatState, type JobConfig, NOT_EXCUSED, rhythmOf } from "./heartbeat.ts";
import {
  deadlineAfter,
  deadlineAfterCheckin,
  type NextDeadline,
  type RhythmConfig,
} from "./next-deadline.ts";
import { editRuns, resumeRuns } from "./run-limits.ts";
import { setBackRuns } from "./run-steps.ts";

/** How long after a step of the clock a check-in may be recorded before deadlines follow the step, in milliseconds. */
const NOTICED_WITHIN = 30_000;

/** The end of a pause: the job gets one full window (behavior 3.24). */
export function afterResume(state: HeartbeatState, config: JobConfig, now: number): HeartbeatState {
  const runs = state.runs && resumeRuns(state.runs, config, now);
  const resumed = runs ? { ...state, runs } : state;
  if (state.lastCheckinAt === null && !runs?.open.length) return resumed;
  return { ...resumed, ...deadlineAfter(rhythmOf(resumed, config), now), ...NOT_EXCUSED };
}

/**
 * An edit of the config. A job that would already be late by the new rhythm gets one window from now (behavior 3.26,
 * 3.27).
 */
export function afterEdit(
  state: HeartbeatState,
  { before, after }: { before: JobConfig; after: JobConfig },
  now: number,
): HeartbeatState {
  const isSameLimit = before.maxRunTime === after.maxRunTime;
  const edited = state.runs && !isSameLimit ? { ...state, runs: editRuns(state.runs, now) } : state;
  if (state.lastCheckinAt === null || state.deadline === null || isSameRhythm(before, after)) return edited;
  return { ...edited, ...recomputeDeadline(edited, after, now), ...NOT_EXCUSED };
}

/**
 * The clock was set back. Times that are now in the future were recorded with the wrong clock, and move back with it.
 * Earlier check-ins may be older than the wrong clock, and stay.
 *
 * @param from the time that the clock would show without the change
 * @param to the time that it shows
 */
export function afterSetback(
  state: HeartbeatState,
  config: JobConfig,
  { from, to }: { from: number; to: number },
): HeartbeatState {
  const { lastCheckinAt: recordedAt, deadline, run } = state;
  const runs = state.runs && setBackRuns(state.runs, { by: from - to, to });
  if (recordedAt === null)
    return runs ? { ...state, runs, deadline: deadline === null ? null : deadline - (from - to) } : state;
  const lastCheckinAt = recordedAt > to ? Math.min(recordedAt - (from - to), to) : recordedAt;
  const pauses = state.pauses.filter(({ start, length }) => start + length <= to);
  const unseen = Math.max(0, (state.unseen ?? 0) - (from - to));
  const moved = { ...state, lastCheckinAt, pauses, unseen, ...(runs && { runs }) };
  if (deadline === null) return moved;
  if (run !== null) return { ...moved, ...recomputeDeadline(moved, config, to) };
  // If the job checked in since, with the new clock, the deadline stays at the end of that window.
  if (to - recordedAt >= 0 && to - recordedAt <= NOTICED_WITHIN) {
    const rhythm = rhythmOf(moved, config);
    const window = deadlineAfterCheckin(rhythm, rhythm.history.lastCheckinAt ?? lastCheckinAt, null);
    return { ...moved, deadline: Math.min(deadline, Math.max(deadline - (from - to), window.deadline)) };
  }
  return { ...moved, deadline: deadline - (from - to) };
}

/** The deadline after the last sign of life. A job that would already be late gets one window from now. */
function recomputeDeadline(state: HeartbeatState, config: JobConfig, now: number): NextDeadline {
  const rhythm = rhythmOf(state, config);
  const next = deadlineAfterCheckin(rhythm, rhythm.history.lastCheckinAt ?? now, null);
  return (next.run ?? next.deadline) > now ? next : deadlineAfter(rhythm, now);
}

function isSameRhythm(one: RhythmConfig, other: RhythmConfig): boolean {
  return (["cron", "timezone", "period", "grace"] as const).every((field) => one[field] === other[field]);
}
