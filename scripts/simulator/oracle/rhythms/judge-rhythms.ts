import type { JobPlan, SimMonitor, Violation } from "../../ledger.ts";
import { isSelected, type Run } from "../calm/windows.ts";
import type { SimResult } from "../check-results.ts";
import { seenBy } from "../confirmation.ts";
import type { Stretch } from "../own-faults.ts";
import { deadlinesOf, type Excuse, latestReport } from "./latest-report.ts";

const SECOND = 1000;

interface Context {
  results: readonly SimResult[];
  /** The windows of all maintenances. */
  windows: readonly Run[];
  /** When no process ran. */
  absent: readonly Stretch[];
  span: Stretch;
}

/**
 * A healthy job is never late, also over a change of clocks and in windows, and a dead one is reported: judged by the runs that
 * the job was to make, without a model of the product (decisions: when a heartbeat is late).
 */
export function judgeRhythms(monitor: SimMonitor, context: Context): Violation[] {
  const { plan } = monitor;
  if (!plan) return [];
  const misses = context.results
    .filter((result) => result.monitor === monitor.name && seenBy(result) === "havent_heard")
    .map(({ createdAtWall }) => createdAtWall);
  const windows = context.windows.filter(({ maintenance }) => isSelected(maintenance, monitor));
  return [
    ...misses.flatMap((at) => judgeMiss(at, monitor, { plan, windows, span: context.span })),
    ...silencesOf(plan, context.span).flatMap((silence) =>
      judgeSilence(silence, monitor, { ...context, plan, misses, windows }),
    ),
  ].map((found) => ({ ...found, monitor: monitor.name }));
}

function judgeMiss(
  at: number,
  monitor: SimMonitor,
  { plan, windows, span }: { plan: JobPlan; windows: readonly Run[]; span: Stretch },
): Violation[] {
  const { runs, learnedAfter, isLearned } = plan;
  const last = runs.findLast((run) => run.at !== null && run.at <= at);
  if (!last?.at) return [{ rule: "a job without a check-in is never late", at, text: "a missed run" }];
  const dead = runs.find((run) => run.at === null && last.due < run.due && run.due <= at);
  if (!dead) {
    // While it teaches its rhythm, also again after it was dead.
    const since = isLearned ? at - learnedAfter : at;
    const isLearning =
      since < span.from
        ? isLearned
        : runs.some((run) => run.at === null && since <= run.due && run.due <= at);
    if (isLearning) return [];
    const text = `a missed run ${hours(at - last.at)} after the check-in, but the job is healthy`;
    return [{ rule: "a healthy job is never late", at, text }];
  }
  const [first] = windows.filter(({ from, to }) => to >= dead.due && from < at);
  if (!first || at < first.from + 2 * SECOND) return [];
  const isOverRun = first.from + 2 * SECOND < dead.due && dead.due < first.to - 2 * SECOND;
  const excusedUntil =
    isOverRun && !isLearned ? deadlinesOf(monitor, plan, span).earliestAfter(first.to) : first.to;
  if (at >= excusedUntil) return [];
  return [
    { rule: "the first window of a silence excuses it", at, text: "a missed run in a window or after it" },
  ];
}

/** A stretch in which a job is dead. */
interface Silence {
  /** The last check-in before it. */
  since: number;
  /** The first run that the job did not make. */
  due: number;
  /** The next check-in, or the end. */
  until: number;
}

function silencesOf({ runs }: JobPlan, { to }: Stretch): Silence[] {
  return runs.flatMap(({ at, due }, place): Silence[] => {
    const since = runs[place - 1]?.at ?? null;
    if (at !== null || since === null) return [];
    return [{ since, due, until: runs.slice(place).find((run) => run.at !== null)?.at ?? to }];
  });
}

function judgeSilence(
  silence: Silence,
  monitor: SimMonitor,
  { plan, misses, windows, absent, span }: Context & { plan: JobPlan; misses: number[] },
): Violation[] {
  const excuses: Excuse[] = [
    ...windows.map(({ maintenance: { name }, from, to }) => ({ name, from, to })),
    ...absent.map((stretch) => ({ ...stretch, name: "outage of the service" })),
  ];
  const latest = latestReport(silence, excuses, deadlinesOf(monitor, plan, span));
  const isReported = misses.some((at) => silence.since < at && at <= latest);
  if (latest >= silence.until || isReported) return [];
  const [next] = misses.filter((at) => at > silence.since && at < silence.until);
  const text = `no run since ${timeOf(silence.due)} is made, but nothing is reported until ${timeOf(next ?? silence.until)}`;
  return [{ rule: "a dead job is reported", at: latest, text }];
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

function hours(ms: number): string {
  return `${(ms / 3_600_000).toFixed(2)} h`;
}
