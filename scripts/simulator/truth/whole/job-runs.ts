import type { MonitorConfig } from "../../../../src/domain/monitors/monitor.ts";
import type { SimMonitor, SimRequest } from "../../ledger.ts";
import type { Draw } from "../draw.ts";

const SECOND = 1000;

/** The share of the jobs that report their runs. */
const SHARE = 0.6;

/** A run takes this long at most; longer ones have a configured limit. */
const SHORT = 900;

/**
 * Lets a job report its runs: each check-in ends one, and the first run of a time without check-ins often hangs. A limit is
 * learned from runs that take almost the same time, or configured.
 */
export function withRuns(
  draw: Draw,
  { plan: planned, checkins: made = [], ...monitor }: SimMonitor,
): SimMonitor {
  const unchanged = { ...monitor, checkins: made, ...(planned && { plan: planned }) };
  if (!planned || !draw.chance(SHARE)) return unchanged;
  const hung = draw.chance(0.6) ? draw.spread(0.02, 0.2) : 0;
  const plan = {
    ...planned,
    runs: planned.runs.map((run) => (draw.chance(hung) ? { ...run, at: null } : run)),
  };
  const times = new Set(plan.runs.map(({ at }) => at));
  const checkins = made.filter(({ at }) => times.has(at));
  const isNamed = draw.chance(0.5);
  const isLimited = draw.chance(0.6);
  const takes = plan.runs.flatMap(({ due, at }) => (at === null ? [] : [at - due]));
  const longest = Math.max(SECOND, ...takes);
  const limit = Math.ceil((longest * draw.between(1.1, 3)) / SECOND);
  const ridOf = (due: number) => (isNamed ? { rid: `run-${due}` } : {});
  const hangs = draw.chance(0.85);
  const starts = plan.runs.flatMap(({ due, at }, place) => {
    const length = isLimited ? draw.between(0.05, 1) * ((at ?? 0) - due) : SHORT * draw.between(0.8, 1);
    if (at !== null) return [{ at: Math.round(at - length), ...ridOf(due) }];
    const isFirst = plan.runs[place - 1]?.at !== null;
    return hangs && isFirst ? [{ at: due + SECOND, ...ridOf(due), hangs: true as const }] : [];
  });
  const dueOf = new Map(plan.runs.map(({ due, at }) => [at, due]));
  return {
    ...monitor,
    plan,
    config: {
      ...monitor.config,
      ...(isLimited && { maxRunTime: limit }),
      // A run that hangs is never over, so that each named one after it would overlap with it.
      ...(!isNamed && draw.chance(0.5) && { overlap: "fail" as const }),
    } as MonitorConfig,
    checkins: checkins.map((checkin) => ({ ...checkin, ...ridOf(dueOf.get(checkin.at) ?? checkin.at) })),
    starts,
  };
}

/** Pauses and edits of the limit while a run hangs, or a little before or after that. */
export function drawRunRequests(
  draw: Draw,
  { name, config, starts = [] }: SimMonitor,
  { from, to }: { from: number; to: number },
): SimRequest[] {
  const hung = starts.filter(({ hangs }) => hangs);
  const { maxRunTime } = config as MonitorConfig<"SCHEDULED">;
  const limit = (maxRunTime ?? 60) * SECOND;
  const near = hung.flatMap(({ at }): SimRequest[] => {
    const when = Math.round(at + limit * draw.between(-0.5, 1.5));
    if (maxRunTime !== undefined && draw.chance(0.3)) {
      const changes = { maxRunTime: Math.ceil(maxRunTime * draw.between(1, 1.5)) };
      return [{ kind: "edit", at: when, monitor: name, changes }];
    }
    if (!draw.chance(0.4)) return [];
    const resumed = Math.round(when + limit * draw.spread(0.1, 5));
    return [
      { kind: "pause", at: when, monitor: name },
      { kind: "resume", at: resumed, monitor: name },
    ];
  });
  return near.every(({ at }) => from < at && at < to) ? near : [];
}
