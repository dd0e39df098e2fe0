import {
  createCalendar,
  EMPTY_CALENDAR,
  type MaintenanceDefinition,
  type MonitorMaintenance,
} from "../maintenance/maintenance.ts";
import { changesOf, type ReplayChanges } from "./changes.ts";
import { compareCourses, type MonitorComparison, summarize } from "./compare.ts";
import { type Course, replayCourse } from "./course.ts";
import type { MonitorPast, ReplayedPast } from "./history.ts";
import type { ReplayOutcome } from "./outcome.ts";
import type { Guess } from "./recorded-checks.ts";

/** The answers of checks that were never made, between checks that disagree: every extreme. */
const GUESSES: readonly Guess[] = [
  { worse: "late", better: "late" },
  { worse: "early", better: "early" },
  { worse: "late", better: "early" },
  { worse: "early", better: "late" },
];

/**
 * Replays the past of monitors with other settings (behavior 25.2 to 25.9), in steps of a few milliseconds at most, so that other work can
 * run between them.
 */
export function* replaySteps(past: ReplayedPast, changes: ReplayChanges): Generator<void, ReplayOutcome> {
  const { range } = past;
  const selected = [...past.monitors.values()].filter((monitor) => monitor.isSelected);
  if (Object.keys(changes).length === 0) {
    const unchanged = selected.map((monitor) =>
      compareCourses(monitor, { range, present: UNCHANGED, changed: [UNCHANGED] }),
    );
    return summarize(unchanged, range);
  }
  const present = yield* replayAll(past, { changes: NOTHING, guess: FIRST, earlier: [] });
  const runs: Run[] = [];
  for (const guess of GUESSES) {
    const courses = yield* replayAll(past, { changes, guess, earlier: runs, present });
    const isNew = [...courses].some(([id, course]) => runs.every((run) => run.courses.get(id) !== course));
    if (isNew) runs.push({ guess, courses });
  }
  const comparisons: MonitorComparison[] = [];
  for (const monitor of selected) {
    const courses = new Set(runs.map(({ courses: all }) => all.get(monitor.id) ?? UNCHANGED));
    const own = present.get(monitor.id) ?? UNCHANGED;
    comparisons.push(compareCourses(monitor, { range, present: own, changed: [...courses] }));
    yield;
  }
  return summarize(comparisons, range);
}

/** The courses with the settings that were in force, for tests: nothing is taken over from what was recorded. */
export function replayFromScratch(past: ReplayedPast): Map<string, Course> {
  const steps = replayAll(past, { changes: NOTHING, guess: FIRST, earlier: [] });
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

const NOTHING: ReplayChanges = {};
const UNCHANGED: Course = {
  outages: [],
  isExact: true,
  guessed: new Set(),
  requests: [],
  asked: [],
  loose: [],
  states: [],
};
const [FIRST] = GUESSES as [Guess];

/** The courses of all monitors with one guess. */
interface Run {
  guess: Guess;
  courses: ReadonlyMap<string, Course>;
}

interface Wanted {
  changes: ReplayChanges;
  guess: Guess;
  earlier: readonly Run[];
  present?: ReadonlyMap<string, Course>;
}

/** @property earlier runs: a course that depends on no other guess than one of them has is the same */
function* replayAll(
  past: ReplayedPast,
  { changes, guess, earlier, present = new Map() }: Wanted,
): Generator<void, Map<string, Course>> {
  const courses = new Map<string, Course>();
  const windows = windowsWith(past, changes);
  const askedBefore = askedBy(present.values());
  const dependsOn = ({ settings }: MonitorPast) => settings.flatMap((one) => one.dependsOn);
  const watched = new Set([...past.monitors.values()].flatMap(dependsOn));
  for (const monitor of past.monitors.values()) {
    const { id } = monitor;
    const own = changesFor(monitor, changes);
    const unchanged = Object.keys(own).length === 0 && present.get(id);
    const isAlone = dependsOn(monitor).every((other) => courses.get(other) === present.get(other));
    if (unchanged && (isAlone || !monitor.isSelected)) {
      courses.set(id, unchanged);
      continue;
    }
    const guessed = new Set(earlier.flatMap((run) => [...(run.courses.get(id)?.guessed ?? [])]));
    const known = earlier.find(
      (run) =>
        [...guessed].every((direction) => run.guess[direction] === guess[direction]) &&
        dependsOn(monitor).every((other) => courses.get(other) === run.courses.get(other)),
    );
    const same = known?.courses.get(id);
    if (same) {
      courses.set(id, same);
      continue;
    }
    const world = { past, changes: own, guess, ...windows, courses, present, askedBefore };
    courses.set(id, yield* replayCourse(monitor, world, watched.has(id)));
    yield;
  }
  return courses;
}

/** When notifications requested checks of other monitors, by their IDs. */
function askedBy(courses: Iterable<Course>): Map<string, number[]> {
  const times = new Map<string, number[]>();
  for (const { asked } of courses)
    for (const { id, at } of asked) {
      const known = times.get(id);
      if (known) known.push(at);
      else times.set(id, [at]);
    }
  return times;
}

/** The changes that concern a monitor: none if the selector does not name it. */
function changesFor({ isSelected, type, settings }: MonitorPast, changes: ReplayChanges): ReplayChanges {
  if (!isSelected) return NOTHING;
  const { downWhen, ...others } = changes;
  const isPlaced = settings.some(({ places }) => places !== null);
  return changesOf(
    isPlaced ? changes : others,
    settings.map(({ config }) => ({ type, config })),
  );
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
