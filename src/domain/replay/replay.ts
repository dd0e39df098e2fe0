import {
  createCalendar,
  EMPTY_CALENDAR,
  type MaintenanceDefinition,
  type MonitorMaintenance,
} from "../maintenance/maintenance.ts";
import type { ReplayChanges } from "./changes.ts";
import { compareCourses, type MonitorComparison, summarize } from "./compare.ts";
import { type Course, replayCourse } from "./course.ts";
import type { MonitorPast, ReplayedPast } from "./history.ts";
import type { ReplayOutcome } from "./outcome.ts";
import type { Guess } from "./past-checks.ts";

/** The answers of checks that were never made, between checks that disagree: every extreme. */
const GUESSES: readonly Guess[] = [
  { worse: "late", better: "late" },
  { worse: "early", better: "early" },
  { worse: "late", better: "early" },
  { worse: "early", better: "late" },
];

/**
 * Replays the past of monitors with other settings (behavior 25.2 to 25.9), in steps of one course of one monitor each, so that other work
 * can run between them.
 */
export function* replaySteps(past: ReplayedPast, changes: ReplayChanges): Generator<void, ReplayOutcome> {
  const present = yield* replayAll(past, NOTHING, FIRST);
  const isSame = Object.keys(changes).length === 0;
  const guesses = isSame ? [] : [yield* replayAll(past, changes, FIRST)];
  if (guesses.some(isGuessed))
    for (const guess of GUESSES.slice(1)) guesses.push(yield* replayAll(past, changes, guess));
  const comparisons: MonitorComparison[] = [];
  for (const monitor of past.monitors.values()) {
    if (!monitor.isSelected) continue;
    const own = present.get(monitor.id);
    const others = guesses.map((courses) => courses.get(monitor.id)).filter((course) => course !== undefined);
    if (own)
      comparisons.push(
        compareCourses(monitor, { range: past.range, present: own, changed: isSame ? [own] : others }),
      );
    yield;
  }
  return summarize(comparisons, past.range);
}

/** The courses with the settings that were in force, for tests: nothing is taken over from what was recorded. */
export function replayFromScratch(past: ReplayedPast): Map<string, Course> {
  const steps = replayAll(past, NOTHING, FIRST);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

const NOTHING: ReplayChanges = {};
const [FIRST] = GUESSES as [Guess];

function isGuessed(courses: ReadonlyMap<string, Course>): boolean {
  return [...courses.values()].some((course) => course.isGuessed);
}

function* replayAll(
  past: ReplayedPast,
  changes: ReplayChanges,
  guess: Guess,
): Generator<void, Map<string, Course>> {
  const courses = new Map<string, Course>();
  const windows = windowsWith(past, changes);
  const watched = new Set(
    [...past.monitors.values()].flatMap(({ settings }) => settings.flatMap((one) => one.dependsOn)),
  );
  for (const monitor of past.monitors.values()) {
    courses.set(
      monitor.id,
      replayCourse(monitor, { past, changes, guess, ...windows, courses }, watched.has(monitor.id)),
    );
    yield;
  }
  return courses;
}

/** The windows of the maintenances that were in force, and of the one to try, which is of the selected monitors. */
function windowsWith({ calendar }: ReplayedPast, { maintenance }: ReplayChanges) {
  const tried = maintenance ? createCalendar([definitionOf(maintenance)]) : EMPTY_CALENDAR;
  const triedWindowOf = (monitor: MonitorPast, at: number) =>
    monitor.isSelected ? tried.windowOf(monitor, at) : null;
  return {
    triedWindowOf,
    windowOf(monitor: MonitorPast, at: number): MonitorMaintenance | null {
      const [known, own] = [calendar.windowOf(monitor, at), triedWindowOf(monitor, at)];
      return known && own && own.endsAt <= known.endsAt ? known : (own ?? known);
    },
  };
}

function definitionOf({
  cron,
  timezone = "UTC",
  duration,
}: NonNullable<ReplayChanges["maintenance"]>): MaintenanceDefinition {
  return {
    ...{ id: "replayed", title: "", selector: { all: true }, startsAt: null, endsAt: null },
    ...{ cron, timezone, duration, until: null, endedRun: null, endedRunAt: null },
  };
}
