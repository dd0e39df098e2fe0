import type { MonitorConfig } from "../../../../src/domain/monitors/monitor.ts";
import type { JobPlan, SimMonitor } from "../../ledger.ts";
import type { Draw } from "../draw.ts";
import { localRuns, longestJitter, type Pattern } from "./patterns.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const WEEK = 7 * DAY;

interface Span {
  from: number;
  to: number;
}

/** A job that keeps its local time, with a learned rhythm or a configured one, and dies at most once. @param change of clocks */
export function drawPlannedJob(
  draw: Draw,
  {
    pattern,
    change,
    learnedShare = 0.65,
    ...span
  }: Span & { pattern: Pattern; change: number; learnedShare?: number },
): Pick<SimMonitor, "type" | "config" | "checkins" | "plan"> {
  const isLearned = draw.chance(learnedShare);
  // It checks in at its end, in the last quarter of the time to its next run.
  const isSlow = !isLearned && pattern.regular === HOUR && draw.chance(0.7);
  const drawnGrace = isLearned || draw.chance(0.6) ? undefined : Math.round(draw.spread(300, 3600));
  const grace = isSlow ? 3500 : drawnGrace;
  const takes = isSlow ? draw.between(0.76, 0.88) * HOUR : SECOND;
  const jitter = draw.spread(0.05, 1) * Math.min(longestJitter(pattern), (grace ?? 3600) * SECOND * 0.6);
  const dead = drawDeath(draw, { pattern, change, ...span });
  const runs: JobPlan["runs"] = localRuns(pattern.schedule, span).map((due) => {
    const at = Math.round(due + takes + draw.fraction() * jitter);
    return { due, at: dead && dead.from <= due && due < dead.to ? null : at };
  });
  const { cron, timezone } = pattern.schedule;
  const config = isLearned ? {} : { cron, ...(timezone && { timezone }), ...(grace && { grace }) };
  return {
    type: "SCHEDULED",
    config: { interval: 300, ...config } as MonitorConfig,
    checkins: runs.flatMap(({ at }) => (at !== null && at < span.to ? [{ at, status: "ok" as const }] : [])),
    plan: { runs, regular: pattern.longest, learnedAfter: pattern.learnedAfter, isLearned },
  };
}

/** Most often in the days around the change of clocks, once the rhythm is known: for one run, for days, or for good. */
function drawDeath(
  draw: Draw,
  { pattern: { regular, learnedAfter }, change, from, to }: Span & { pattern: Pattern; change: number },
): Span | undefined {
  if (draw.chance(0.4)) return undefined;
  const near = change + draw.between(-4, 4) * DAY;
  const start = Math.max(
    draw.chance(0.5) ? near : draw.between(from, to),
    from + learnedAfter + (regular === WEEK ? 2 * WEEK : DAY),
  );
  const length = draw.pick([regular, draw.spread(HOUR, 10 * DAY), Number.POSITIVE_INFINITY] as const);
  const end = start + Math.max(length, regular);
  return { from: start, to: Math.min(end, to + MINUTE) };
}
