import type { DeliberateFault } from "../fault.ts";
import { CALM, CRONS, JOBS, LONG } from "../worlds.ts";

const MISSED_RUNS = "domain/heartbeats/missed-runs.ts";
const RHYTHM_CHANGES = "domain/heartbeats/run-steps.ts";
const HEARTBEATS = "runner/runner.ts";
const NEXT_DEADLINE = "domain/heartbeats/heartbeat.ts";

/** Jobs: rhythms, clocks, windows, and absences of the server. */
export const JOB_FAULTS: DeliberateFault[] = [
  {
    name: "endless-excuse",
    seam: "dead job × windows that recur",
    effect: "every window excuses a silence, so that a dead job is never reported",
    edits: [{ file: MISSED_RUNS, from: "if (excusedUntil === null) return true;", to: "return true;" }],
    world: JOBS,
    caughtBy: { seed: 1, rule: "a dead job is reported" },
  },
  {
    name: "fixed-clocks",
    seam: "learned rhythm × change of clocks",
    effect: "a learned rhythm knows no changes of clocks, so that healthy jobs alarm",
    edits: [
      {
        file: "domain/heartbeats/weekly-pause.ts",
        from: "const last = Math.min(to, from + YEAR);",
        to: "const last = from - 1;",
      },
      {
        file: "domain/heartbeats/weekly-pause.ts",
        from: "const NEAR = 75 * MINUTE;",
        to: "const NEAR = HOUR;",
      },
    ],
    world: JOBS,
    caughtBy: { seed: 1, rule: "a healthy job is never late" },
  },
  {
    name: "either-day",
    seam: "cron × steps in a day field",
    effect: "a day matches an expression that has a step in a day field if either field matches",
    edits: [
      {
        file: "domain/heartbeats/cron.ts",
        from: "return [day, weekday].some((field) => field && /^[*?]/.test(field));",
        to: "return false;",
      },
    ],
    world: CRONS,
    caughtBy: { seed: 5, rule: "only a late job is late" },
  },
  {
    name: "early-for-the-next",
    seam: "late check-in × next run",
    effect:
      "a check-in in the last quarter of a gap counts for the next run, so that a skipped one is not noticed",
    edits: [
      {
        file: NEXT_DEADLINE,
        from: "return isOpen || isRepeated || (!isMade && isInGrace()) ? checkinAt : next;",
        to: "return next;",
      },
    ],
    world: JOBS,
    caughtBy: { seed: 1, rule: "a dead job is reported" },
  },
  {
    name: "excused-by-restarts",
    seam: "dead job × restarts",
    effect: "each restart gives a dead job a new window",
    edits: [
      {
        file: MISSED_RUNS,
        from: "if (excused || !mayHaveCheckedIn(",
        to: "if (!mayHaveCheckedIn(",
      },
    ],
    world: LONG,
    caughtBy: { seed: 3, rule: "only a late job is late" },
  },
  {
    name: "absence-is-silence",
    seam: "deadline × absence of the server",
    effect: "a job is late because of a time in which no server ran",
    edits: [
      {
        file: HEARTBEATS,
        from: "      await excuse(aliveAt);\n      isStarted = true;",
        to: "      isStarted = true;",
      },
    ],
    world: LONG,
    caughtBy: { seed: 3, rule: "only a late job is late" },
  },
  {
    name: "late-while-deaf",
    seam: "deadline × file descriptors",
    effect: "a job is late while no check-in can be accepted",
    edits: [{ file: HEARTBEATS, from: "    if (isDeaf()) return;", to: "" }],
    world: LONG,
    caughtBy: { seed: 1, rule: "only a late job is late" },
  },
  {
    name: "late-while-the-disk-is-full",
    seam: "deadline × full disk",
    effect: "after a full disk, jobs are late whose check-ins it had refused",
    edits: [
      {
        file: HEARTBEATS,
        from: "if (isReadOnly || wasOffline || !storage.isHealthy() || gap > MAX_GAP) return excuse(now);",
        to: "if (gap > MAX_GAP) return excuse(now);",
      },
      {
        file: HEARTBEATS,
        from: "      isReadOnly = true;\n      storage.report(false);",
        to: "      isReadOnly = true;\n      aliveAt = now;\n      storage.report(false);",
      },
    ],
    world: LONG,
    caughtBy: { seed: 5, rule: "only a late job is late" },
  },
  {
    name: "deadline-of-a-wrong-clock",
    seam: "deadline × clock that was set back",
    effect: "after the clock was set back, a dead job is noticed late by the length of the step",
    edits: [
      {
        file: RHYTHM_CHANGES,
        from: "return { ...moved, deadline: deadline - (from - to) };",
        to: "return { ...moved, deadline };",
      },
    ],
    world: LONG,
    caughtBy: null,
  },
  {
    name: "unmoved-by-an-early-end",
    seam: "window that an operator ends × deadline of a job",
    effect: "a job that a window excused is late although the window was ended early",
    edits: [
      {
        file: MISSED_RUNS,
        from: "const next = nextDeadlineOf(state);\n  if (!next) return changed;",
        to: "const next = null as NextDeadline | null;\n  if (!next) return changed;",
      },
    ],
    world: CALM,
    caughtBy: null,
  },
  {
    name: "late-in-a-window",
    seam: "window × expected run",
    effect: "only a deadline in a window is excused, not a run",
    edits: [
      {
        file: MISSED_RUNS,
        from: "    const end = lastEnd(windowEnd, [expectedAt(rhythm, next), deadline]);",
        to: "    const end = lastEnd(windowEnd, [deadline]);",
      },
    ],
    world: JOBS,
    caughtBy: null,
  },
];
