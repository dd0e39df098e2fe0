import type { MonitorConfig } from "../../../../src/domain/monitors/monitor.ts";
import type { JobPlan, SimMonitor } from "../../ledger.ts";
import { clockChangesOf } from "../../truth/cron-runs.ts";
import { expectedRuns, runAfter } from "../cron-rhythm.ts";
import type { Stretch } from "../own-faults.ts";

const [MINUTE, HOUR] = [60_000, 3_600_000];

/** How long it takes from a deadline until it is recorded; milliseconds. */
const RECORDED = MINUTE;

/** The longest grace of a learned rhythm, the tolerance and the longer grace of a weekly pause, and a change of clocks. */
const LEARNED_SLACK = HOUR + 75 * MINUTE + 15 * MINUTE + HOUR;

/** From a change of clocks to a run whose local time it skips, and its check-in. */
const MAX_SKIP = 3 * HOUR;

/** A window, or an outage of the service. Each name excuses a silence once. */
export interface Excuse extends Stretch {
  name: string;
}

/** When a missed run must have been reported at the latest. */
export interface Deadlines {
  /** @param due the first run that was not made */
  ofRun(due: number, since: number): number;
  /** @param end of an excuse */
  afterExcuse(end: number): number;
  /** When a run after an excuse is missed at the earliest. */
  earliestAfter(end: number): number;
}

/** Exact with a configured rhythm; with a learned one, as late as the contract allows for any reading of it. */
export function deadlinesOf({ config }: SimMonitor, plan: JobPlan, { from, to }: Stretch): Deadlines {
  const { cron, timezone, grace } = config as MonitorConfig<"SCHEDULED">;
  if (cron !== undefined) {
    const runs = expectedRuns({ cron, ...(timezone && { timezone }) }, { from, to, grace });
    const deadline = (at: number) => runAfter(runs, at - 1).deadline + RECORDED;
    return { ofRun: deadline, afterExcuse: deadline, earliestAfter: (end) => deadline(end) - 2 * RECORDED };
  }
  const { regular } = plan;
  const next = (at: number) => plan.runs.find(({ due }) => due >= at)?.due ?? to;
  const slack = LEARNED_SLACK + RECORDED;
  return {
    ofRun: (due, since) => Math.max(mayBeLeftOut(due) ? next(due + 1) : due, since + regular) + slack,
    afterExcuse: (end) => Math.max(next(end), end + regular) + slack,
    earliestAfter: (end) => end,
  };
}

/** Whether clocks of any zone change around a run: then a scheduler may leave it out, and its job is healthy until the next one. */
function mayBeLeftOut(due: number): boolean {
  return Intl.supportedValuesOf("timeZone").some(
    (zone) => clockChangesOf(zone, due - MAX_SKIP, due + MAX_SKIP).length > 0,
  );
}

/** The latest report of a silence, if everything that may excuse it does so once, one after another. */
export function latestReport(
  { since, due }: { since: number; due: number },
  excuses: readonly Excuse[],
  { ofRun, afterExcuse }: Pick<Deadlines, "ofRun" | "afterExcuse">,
): number {
  const used = new Set<string>();
  let latest = ofRun(due, since);
  for (;;) {
    const possible = excuses.filter(({ name, from, to }) => !used.has(name) && from <= latest && to >= since);
    const [last] = possible.toSorted((a, b) => b.to - a.to);
    if (!last) return latest;
    used.add(last.name);
    latest = Math.max(latest, afterExcuse(last.to));
  }
}
