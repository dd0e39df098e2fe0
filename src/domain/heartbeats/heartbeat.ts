import { type Heard, hear } from "./learned-period.ts";
import {
  type Expectation,
  expectAfter,
  expectAfterCheckin,
  expectAfterMiss,
  mayHaveCome,
  type RhythmConfig,
} from "./next-deadline.ts";

/**
 * What is kept of a SCHEDULED monitor to tell when it is late (decisions 3, "When a heartbeat is late"); plain JSON.
 * Times are milliseconds since 1970.
 */
export interface HeartbeatState extends Heard {
  /** The run that is waited for; null where there is no `cron`. */
  run: number | null;
  /** Null where nothing is waited for: before the first checkin, and in a pause. */
  deadline: number | null;
  /** Whether an outage of ours has given this silence a new window. It does so once only, see `afterOutage`. */
  excused: boolean;
}

/** @property missedAt the deadlines that passed, oldest first: one miss each, to be recorded with its own time */
export interface Silence {
  state: HeartbeatState;
  missedAt: number[];
}

/** The state of a monitor that has never heard a checkin. */
export const silentHeartbeat: HeartbeatState = {
  lastCheckinAt: null,
  gaps: [],
  pauses: [],
  run: null,
  deadline: null,
  excused: false,
};

/** A checkin of an enabled monitor, whatever status it tells. */
export function afterCheckin(state: HeartbeatState, config: RhythmConfig, now: number): HeartbeatState {
  const heard = hear(state, now, config.grace);
  return { ...state, ...heard, ...expectAfterCheckin({ config, heard }, now), excused: false };
}

/** A checkin of a paused monitor: its rhythm is learned, but nothing is waited for. */
export function afterPausedCheckin(state: HeartbeatState, config: RhythmConfig, now: number): HeartbeatState {
  return afterPause({ ...state, ...hear(state, now, config.grace) });
}

/**
 * The misses up to now, and the deadline that stands then. A deadline has passed once it is earlier than `now`;
 * however late this is asked, each miss is told once.
 */
export function afterMiss(state: HeartbeatState, config: RhythmConfig, now: number): Silence {
  const missedAt: number[] = [];
  let waiting = expectationOf(state);
  while (waiting && waiting.deadline < now) {
    missedAt.push(waiting.deadline);
    waiting = expectAfterMiss({ config, heard: state }, waiting);
  }
  return { state: { ...state, ...waiting }, missedAt };
}

/**
 * This service did not run for a while; what had passed before is still missed.
 *
 * The deadline moves on by the length of the outage, so that only time in which we listened counts. Where a checkin may
 * have come within the outage, a new window begins at its end: once until the next checkin, so that a dead job is
 * noticed after two windows of listening, however often we restart.
 *
 * @param outage from when this service was last known to run, to its start
 */
export function afterOutage(
  state: HeartbeatState,
  config: RhythmConfig,
  { from, to }: { from: number; to: number },
): Silence {
  const before = afterMiss(state, config, from);
  const waiting = expectationOf(before.state);
  const { lastCheckinAt, excused } = before.state;
  if (!waiting || lastCheckinAt === null || to <= from) return before;
  const known = { config, heard: before.state };
  if (excused || !mayHaveCome(known, { run: waiting.run, lastCheckinAt }, to)) {
    const deadline = waiting.deadline + to - Math.max(from, lastCheckinAt);
    return { ...before, state: { ...before.state, deadline } };
  }
  return { ...before, state: { ...before.state, ...expectAfter(known, to), excused: true } };
}

/** In a pause nothing is waited for. */
export function afterPause(state: HeartbeatState): HeartbeatState {
  return { ...state, run: null, deadline: null };
}

/** The end of a pause, of whose silence nothing is held against the job. */
export function afterResume(state: HeartbeatState, config: RhythmConfig, now: number): HeartbeatState {
  if (state.lastCheckinAt === null) return state;
  return { ...state, ...expectAfter({ config, heard: state }, now), excused: false };
}

/** An edit of the config. Where the job would be late by the new rhythm already, it gets time from now. */
export function afterEdit(
  state: HeartbeatState,
  { before, after }: { before: RhythmConfig; after: RhythmConfig },
  now: number,
): HeartbeatState {
  if (state.lastCheckinAt === null || state.deadline === null || isSameRhythm(before, after)) return state;
  return {
    ...state,
    ...expectAgain({ ...state, lastCheckinAt: state.lastCheckinAt }, after, now),
    excused: false,
  };
}

/**
 * The clock was set back. What lies in the future now was recorded by the former clock, and moves back with it; other
 * checkins may come from before the clock was wrong.
 *
 * @param from what the clock would show now if it had not been set @param to what it shows
 */
export function afterSetback(
  state: HeartbeatState,
  config: RhythmConfig,
  { from, to }: { from: number; to: number },
): HeartbeatState {
  const { lastCheckinAt: heardAt, deadline, run } = state;
  if (heardAt === null) return state;
  const lastCheckinAt = heardAt > to ? Math.min(heardAt - (from - to), to) : heardAt;
  const pauses = state.pauses.filter(({ start, length }) => start + length <= to);
  const moved = { ...state, lastCheckinAt, pauses };
  if (deadline === null) return moved;
  if (run !== null) return { ...moved, ...expectAgain(moved, config, to) };
  // A checkin may have come since, by the new clock: its window stands.
  const window = expectAfterCheckin({ config, heard: moved }, lastCheckinAt);
  return { ...moved, deadline: Math.min(deadline, Math.max(deadline - (from - to), window.deadline)) };
}

/** What is waited for from the last checkin on; where the job would be late already, it gets time from now. */
function expectAgain(
  heard: Heard & { lastCheckinAt: number },
  config: RhythmConfig,
  now: number,
): Expectation {
  const expected = expectAfterCheckin({ config, heard }, heard.lastCheckinAt);
  return (expected.run ?? expected.deadline) > now ? expected : expectAfter({ config, heard }, now);
}

function expectationOf({ run, deadline }: HeartbeatState): Expectation | null {
  return deadline === null ? null : { run, deadline };
}

function isSameRhythm(one: RhythmConfig, other: RhythmConfig): boolean {
  return (["cron", "timezone", "period", "grace"] as const).every((field) => one[field] === other[field]);
}
