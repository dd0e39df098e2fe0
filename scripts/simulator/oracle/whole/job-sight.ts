import type { MonitorConfig } from "../../../../src/domain/monitors/monitor.ts";
import type { JobPlan } from "../../ledger.ts";
import { intersection } from "../calm/stretches.ts";
import { doneBy, type Stretch } from "../own-faults.ts";
import { type Deadlines, deadlinesOf, type Excuse, latestReport } from "../rhythms/latest-report.ts";
import type { MonitorLife } from "./monitor-life.ts";
import { latestLimit, limitOf, openRuns } from "./open-runs.ts";
import { type MayBe, nothing } from "./target-sight.ts";

const [SECOND, HOUR] = [1000, 3_600_000];

/** From a check-in or a deadline until the status is committed; milliseconds. */
const COMMIT = 5 * SECOND;

/** How long a deadline may take to be noticed. */
const NOTICED = 60 * SECOND;

/** A call of the job. A call that was not answered may have been recorded. */
interface Call {
  at: number;
  status: "ok" | "fail";
  isSure: boolean;
}

/** A job by its calls: what it said last, and that it is late, from the first run that it did not make. */
export function mayBeOf(life: MonitorLife): MayBe {
  const { monitor, ledger, span, disturbed } = life;
  const calls = ledger.checkins
    .filter((checkin) => checkin.monitor === monitor.name)
    .map(({ at, status, accepted }): Call => ({ at, status, isSure: accepted }));
  const may = nothing();
  const firstSure = calls.find(({ isSure }) => isSure)?.at ?? span.to;
  may.unknown.push({ from: span.from, to: doneBy(firstSure, COMMIT, disturbed) });
  for (const [place, call] of calls.entries()) {
    const next = calls.slice(place + 1).find(({ isSure }) => isSure);
    const heardUntil = next ? doneBy(next.at, COMMIT, disturbed) : span.to;
    const { earliest, ...silence } = silenceAfter(call.at, next?.at ?? span.to, life);
    const noticed = Math.max(silence.latest, excusedUntil({ from: call.at, to: silence.latest }, life));
    const latest = noticed + lengthWithin({ from: call.at, to: noticed }, disturbed);
    const group = call.status === "ok" ? "healthy" : "down";
    // A miss of a job that failed is another kind of trouble.
    may[group].push({ from: call.at, to: Math.min(heardUntil, doneBy(latest, COMMIT, disturbed)) });
    if (earliest < heardUntil) may.warning.push({ from: earliest, to: heardUntil });
  }
  for (const { limitAt } of openRuns(life)) {
    const next = calls.find(({ at, isSure }) => isSure && at > limitAt.high + COMMIT);
    may.down.push({
      from: limitAt.low - SECOND,
      to: next ? doneBy(next.at, COMMIT, disturbed) : span.to,
    });
  }
  return may;
}

/** Until when the first run of a silence keeps the job from being late (behavior 18.18). */
function excusedUntil({ from, to }: Stretch, life: MonitorLife): number {
  const { monitor, ledger } = life;
  const start = ledger.starts.find(({ at, ...one }) => one.monitor === monitor.name && from < at && at <= to);
  return start ? latestLimit(start.at, Math.max(HOUR, limitOf(life, start.at).high), life) + NOTICED : 0;
}

/** A deadline moves on by the time in which the server did not run, or could not write (behavior 3.21). */
function lengthWithin(silence: Stretch, disturbed: readonly Stretch[]): number {
  return intersection([silence], disturbed).reduce((sum, { from, to }) => sum + to - from, 0);
}

/** When a silence is noticed. @param next the next call, or the end */
function silenceAfter(call: number, next: number, life: MonitorLife): { earliest: number; latest: number } {
  const { monitor, span } = life;
  const excuses: Excuse[] = [
    ...life.runs.map(({ maintenance: { name }, from, to }) => ({ name, from, to })),
    // Behavior 3.24.
    ...life.pauses.map(({ from, to }) => ({ from, to, name: `pause ${from}` })),
    ...life.disturbed.map((stretch) => ({ ...stretch, name: `fault ${stretch.from}` })),
  ];
  if (monitor.plan)
    return ofPlan(
      monitor.plan,
      { call, next },
      { excuses, deadlines: deadlinesOf(monitor, monitor.plan, span) },
    );
  const { period = 0, grace = 0 } = monitor.config as MonitorConfig<"SCHEDULED">;
  const rhythm = (period + grace) * SECOND;
  const deadlines = {
    ofRun: () => call + rhythm + NOTICED,
    afterExcuse: (end: number) => end + rhythm + NOTICED,
  };
  return {
    earliest: call + rhythm - SECOND,
    latest: latestReport({ since: call, due: call + period * SECOND }, excuses, deadlines),
  };
}

function ofPlan(
  { runs }: JobPlan,
  { call, next }: { call: number; next: number },
  { excuses, deadlines }: { excuses: readonly Excuse[]; deadlines: Deadlines },
): { earliest: number; latest: number } {
  const missed = runs.find(({ due, at }) => due > call && due < next && at !== next);
  const due = missed?.due ?? Number.POSITIVE_INFINITY;
  if (due === Number.POSITIVE_INFINITY) return { earliest: due, latest: due };
  return { earliest: due, latest: latestReport({ since: call, due }, excuses, deadlines) };
}
