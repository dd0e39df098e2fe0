import type { DeliberateFault } from "../fault.ts";
import { RUNS } from "../worlds.ts";

const JOB_RUNS = "domain/heartbeats/job-runs.ts";
const RUN_STEPS = "domain/heartbeats/run-steps.ts";
const RUN_LIMITS = "domain/heartbeats/missed-runs.ts";
const RHYTHM_CHANGES = "domain/heartbeats/run-steps.ts";
const REPORTS = "domain/heartbeats/reports.ts";

/** Jobs that report their runs: limits, replaced runs, pauses, and the rhythm by starts. */
export const RUN_FAULTS: DeliberateFault[] = [
  {
    name: "limit-of-the-shortest",
    seam: "learned limit × runs of different lengths",
    effect: "the limit is learned from the shortest of the last runs, so that usual ones take too long",
    edits: [
      {
        file: JOB_RUNS,
        from: "const longest = Math.max(...lengths);",
        to: "const longest = Math.min(...lengths);",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 1, rule: "only a run that takes too long overruns" },
  },
  {
    name: "limit-of-the-last-ten",
    seam: "learned limit × a long run some time ago",
    effect: "the limit forgets the longest run after ten others",
    edits: [{ file: RUN_STEPS, from: "const KEPT_LENGTHS = 20;", to: "const KEPT_LENGTHS = 10;" }],
    world: RUNS,
    caughtBy: { seed: 1, rule: "only a run that takes too long overruns" },
  },
  {
    name: "failures-teach-the-limit",
    seam: "learned limit × failed runs",
    effect: "the limit is learned also from runs that failed",
    edits: [{ file: RUN_STEPS, from: "lengths: isOk ? [", to: "lengths: isOk || true ? [" }],
    world: RUNS,
    caughtBy: { seed: 1, rule: "only a run that takes too long overruns" },
  },
  {
    name: "excused-by-the-latest-start",
    seam: "open run × restarts of the job",
    effect: "the limit is counted from the latest start, so that a job that only starts is never late",
    edits: [
      {
        file: RUN_STEPS,
        from: "if (startedSince === null) return { startedSince: at };",
        to: "return { startedSince: at };",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 2, rule: "a healthy job is never late" },
  },
  {
    name: "replaced-but-open",
    seam: "second start × open run",
    effect: "a run that another one replaced stays open, and takes too long later",
    edits: [
      {
        file: RUN_STEPS,
        from: "const others = before.open.filter((one) => one.rid !== rid);\n  const open = [...others, run]",
        to: "const others = before.open.filter((one) => one.rid !== rid);\n  const open = [...before.open, run]",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 1, rule: "an end belongs to its start" },
  },
  {
    name: "overruns-twice",
    seam: "hung run × the next look at its job",
    effect: "a run that takes too long is recorded again at each look",
    edits: [
      {
        file: RUN_LIMITS,
        from: 'overranAt.length > 0 ? judgedAs("overran", held, isOver) : held',
        to: 'overranAt.length > 1 ? judgedAs("overran", held, isOver) : held',
      },
    ],
    world: RUNS,
    caughtBy: { seed: 1, rule: "only a run that takes too long overruns" },
  },
  {
    name: "overruns-of-a-pause",
    seam: "run that starts in a pause × its limit",
    effect: "a run that started in a pause takes too long after it",
    edits: [
      {
        file: RUN_STEPS,
        from: '...(isPaused && { judged: "paused" })',
        to: '...(false && { judged: "paused" })',
      },
    ],
    world: RUNS,
    caughtBy: { seed: 2, rule: "only a run that takes too long overruns" },
  },
  {
    name: "overruns-after-a-pause",
    seam: "run that overruns in a pause × resume",
    effect: "a run that became too long in a pause is recorded when the pause ends",
    edits: [
      {
        file: RHYTHM_CHANGES,
        from: "const runs = state.runs && resumeRuns(state.runs, config, now);",
        to: "const runs = state.runs;",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 2, rule: "only a run that takes too long overruns" },
  },
  {
    name: "ends-any-run",
    seam: "end × `rid`",
    effect: "a check-in ends the latest open run, whatever its name is",
    edits: [
      {
        file: RUN_STEPS,
        from: "return open.findLast((run) => run.rid === rid);",
        to: "return open.at(rid ? -1 : -1);",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 1, rule: "an end belongs to its start" },
  },
  {
    name: "start-as-a-check-in",
    seam: "start × deadline",
    effect: "a start moves the deadline as a check-in does, so that a job that only starts is never late",
    edits: [
      {
        file: REPORTS,
        from: "const isFirst = state.deadline === null && !isPaused;",
        to: "const isFirst = !isPaused;",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 4, rule: "a silent job is found" },
  },
  {
    name: "late-while-it-runs",
    seam: "deadline × open run",
    effect: "a job is late while its run goes on",
    edits: [
      {
        file: JOB_RUNS,
        from: "return Math.max(excusedFrom + (runLimit(runs, config) ?? UNKNOWN_LIMIT), heldUntil);",
        to: "return Math.max(excusedFrom, heldUntil);",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 1, rule: "a healthy job is never late" },
  },
  {
    name: "rhythm-by-ends",
    seam: "rhythm × run times",
    effect: "the rhythm is always that of the check-ins, so that a dead job with long runs is noticed late",
    edits: [{ file: JOB_RUNS, from: "runs.paired >= PAIRED;", to: "runs.paired < 0;" }],
    world: RUNS,
    caughtBy: { seed: 2, rule: "a healthy job is never late" },
  },
  {
    name: "early-start-twice",
    seam: "start a moment before its time × `cron`",
    effect: "an early start counts for the run before, so that its job is late although it ran",
    edits: [
      {
        file: REPORTS,
        from: "lastCheckinAt: before, isKnown",
        to: "lastCheckinAt: startedAt, isKnown",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 1, rule: "a healthy job is never late" },
  },
  {
    name: "overrun-before-its-limit-was-known",
    seam: "hung run × a limit that becomes known",
    effect: "an overrun is dated back to before the check-in that taught its limit",
    edits: [
      {
        file: RUN_LIMITS,
        from: "Math.max(overrunsAt(run, limit), limitSince)",
        to: "overrunsAt(run, limit) + limitSince * 0",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 1, rule: "only a run that takes too long overruns" },
  },
  {
    name: "hung-start-forgotten",
    seam: "hung run × weekly pause",
    effect: "the start of a run that hung teaches nothing, so that its job is late in the next pause",
    edits: [
      {
        file: RUN_STEPS,
        from: "if (startedSince === null || !isOther(startedSince))",
        to: "if (startedSince === null || !isOther(startedSince) || true)",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 4, rule: "a healthy job is never late" },
  },
  {
    name: "setback-lengthens-runs",
    seam: "open run × clock that is set back",
    effect: "a run that is open while the clock is set back counts from its old time",
    edits: [
      {
        file: RUN_STEPS,
        from: "startedAt: startedAt - by,",
        to: "startedAt,",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 3, rule: "an end belongs to its start" },
  },
  {
    name: "overlap-with-itself",
    seam: "`overlap: fail` × a start that replaces a run",
    effect: "a start that replaces a run of the same name overlaps with it",
    edits: [
      {
        file: RUN_STEPS,
        from: "isOverlapping: others.some(",
        to: "isOverlapping: before.open.some(",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 3, rule: "a report is recorded as what it is" },
  },
  {
    name: "outage-charged-to-runs",
    seam: "open run × outage, stall or jump of the clock",
    effect:
      "the time in which no server ran counts for the limit of a run, and for the limit that it teaches",
    edits: [
      {
        file: RUN_LIMITS,
        from: "if (before.open.length === 0 || to <= from) return before;",
        to: "if (to >= 0) return before;",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 1, rule: "only a run that takes too long overruns" },
  },
  {
    name: "jump-in-the-length",
    seam: "open run × clock that is set forward",
    effect: "a run that is open while the clock is set forward takes as much longer",
    edits: [
      {
        file: RUN_LIMITS,
        from: "const startedAt = Math.min(to, run.startedAt + jump);",
        to: "const startedAt = run.startedAt;",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 2, rule: "an end belongs to its start" },
  },
  {
    name: "lost-end-excuses",
    seam: "end that is lost in an outage × the next start",
    effect: "after an outage in which an end was lost, the job is late while its next run is open",
    edits: [
      {
        file: RUN_STEPS,
        from: "outages <= MAX_OUTAGES && open.every(isUnknown)",
        to: "outages < 0 && open.every(isUnknown)",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 2, rule: "a healthy job is never late" },
  },
  {
    name: "lost-end-overlaps",
    seam: "`overlap: fail` × end that is lost",
    effect: "a run whose end was lost overlaps with every later one",
    edits: [
      {
        file: RUN_LIMITS,
        from: "const isTooLong = limit !== null && overrunsAt({ ...run, heldUntil: 0 }, limit) < at;\n  return !isUnknown(run)",
        to: "const isTooLong = limit !== null && overrunsAt({ ...run, heldUntil: 0 }, limit) < at;\n  return isUnknown(run) || isTooLong || !isUnknown(run)",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 1, rule: "a report is recorded as what it is" },
  },
  {
    name: "late-start-opens",
    seam: "start that arrives after the end × `rid`",
    effect: "a start that arrives after the end of its run opens one that never ends",
    edits: [
      {
        file: RUN_STEPS,
        from: 'return ridState(runs, rid, at) !== "new" && !findRun(runs, rid);',
        to: "return at < 0 && !findRun(runs, rid);",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 1, rule: "only a run that takes too long overruns" },
  },
  {
    name: "limit-in-a-window",
    seam: "hung run × window in which its job would be late",
    effect: "a job whose run hangs is first late at its next run, if it would be late in a window",
    edits: [
      {
        file: "domain/heartbeats/missed-runs.ts",
        from: "const end = lastEnd(windowEnd, [expectedAt(rhythm, next), deadline]);",
        to: "const end = lastEnd(windowEnd, [expectedAt(rhythm, next), deadline, late]);",
      },
    ],
    world: RUNS,
    caughtBy: { seed: 4, rule: "a silent job is found" },
  },
];
