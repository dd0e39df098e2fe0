import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import type { SimMonitor } from "../ledger.ts";
import { isWild, runsOf, type Schedule } from "./cron-runs.ts";
import type { Draw } from "./draw.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

export type Job = Pick<SimMonitor, "type" | "config" | "checkins" | "dead">;

interface Span {
  from: number;
  to: number;
}

/** When a job is meant to run, and by how much it starts late at most. Milliseconds. */
interface Plan {
  config: Partial<MonitorConfig<"SCHEDULED">>;
  runs: number[];
  jitter: number;
}

const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Sydney",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
] as const;
const PERIODS = [10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY];

/** Check-ins cost time, so that jobs that run more often than this are part of shorter scenarios only. */
const SHORT = { period: 2 * HOUR, longest: 20 * DAY };

/** The rhythms that are drawn for a scenario of this length. */
function affordable<Rhythm>(
  rhythms: readonly Rhythm[],
  { from, to }: Span,
  periodOf: (rhythm: Rhythm) => number,
): [Rhythm, ...Rhythm[]] {
  const some = rhythms.filter((one) => to - from <= SHORT.longest || periodOf(one) >= SHORT.period);
  return some as [Rhythm, ...Rhythm[]];
}

/** The truth of a job: its rhythm with jitter, missed runs, failed runs, and stretches in which it is dead. */
export function drawJob(draw: Draw, span: Span): Job {
  const plan = draw.pick([drawCron, drawCron, drawPeriod, drawLearned, drawLearned, drawWeekdays] as const)(
    draw,
    span,
  );
  const dead = drawDead(draw, span);
  const isDead = (at: number) => dead.some(({ from, to }) => from <= at && at < to);
  const missShare = draw.chance(0.5) ? draw.spread(0.002, 0.05) : 0;
  const failShare = draw.chance(0.5) ? draw.spread(0.005, 0.2) : 0;
  const checkins: { at: number; status: "ok" | "fail" }[] = [];
  for (const run of plan.runs) {
    const at = Math.round(run + draw.fraction() * plan.jitter);
    if (isDead(run) || draw.chance(missShare) || at >= span.to) continue;
    checkins.push({ at, status: draw.chance(failShare) ? "fail" : "ok" });
  }
  return {
    type: "SCHEDULED",
    config: { interval: 300, ...plan.config } as MonitorConfig,
    checkins: checkins.sort((a, b) => a.at - b.at),
    dead,
  };
}

/** The grace that the product gives a period without a configured one (behavior 3.4). */
function usualGrace(period: number): number {
  return Math.min(Math.max(period / 5, MINUTE), HOUR);
}

function drawGrace(draw: Draw, period: number): { grace: number; config: { grace?: number } } {
  if (!draw.chance(0.3)) return { grace: usualGrace(period), config: {} };
  const seconds = Math.round(draw.spread(30, Math.max(60, period / 3 / SECOND)));
  return { grace: seconds * SECOND, config: { grace: seconds } };
}

function drawCron(draw: Draw, span: Span): Plan {
  const [minute, hour] = [draw.whole(0, 59), draw.chance(0.4) ? draw.whole(1, 3) : draw.whole(0, 23)];
  const rhythms: { cron: string; period: number }[] = [
    { cron: `${minute} ${hour} * * *`, period: DAY },
    { cron: `${minute} ${hour} * * 1-5`, period: DAY },
    { cron: `${minute} ${hour},${(hour + 9) % 24} * * *`, period: 9 * HOUR },
    { cron: `${minute} * * * *`, period: HOUR },
    { cron: `${minute % 20},${(minute % 20) + 30} * * * *`, period: 30 * MINUTE },
    { cron: "*/20 * * * *", period: 20 * MINUTE },
    { cron: `${minute} */6 * * *`, period: 6 * HOUR },
    { cron: `${minute} ${hour} */2 * 1-5`, period: DAY },
  ];
  const { cron, period } = draw.pick(affordable(rhythms, span, (rhythm) => rhythm.period));
  const schedule: Schedule = draw.chance(0.7) ? { cron, timezone: draw.pick(ZONES) } : { cron };
  const { grace, config } = drawGrace(draw, period);
  return {
    config: { ...schedule, ...config },
    runs: schedulerRuns(draw, schedule, span),
    jitter: grace * 0.6,
  };
}

/** Schedulers differ in what they do when clocks change (behavior 3.14). */
function schedulerRuns(draw: Draw, schedule: Schedule, { from, to }: Span): number[] {
  const [runsSkipped, runsAgain] = [draw.chance(0.5), draw.chance(0.5)];
  return runsOf(schedule, from, to)
    .filter(({ local }) => local !== "skipped" || runsSkipped)
    .filter(({ local }) => local !== "again" || runsAgain || isWild(schedule))
    .map(({ at }) => at);
}

function drawPeriod(draw: Draw, span: Span): Plan {
  const period = draw.pick(affordable(PERIODS, span, (one) => one));
  const { grace, config } = drawGrace(draw, period);
  return {
    config: { period: period / SECOND, ...config },
    runs: every(draw, period, span),
    jitter: grace * 0.6,
  };
}

function drawLearned(draw: Draw, span: Span): Plan {
  const period = draw.pick(affordable(PERIODS, span, (one) => one));
  const { grace, config } = drawGrace(draw, period);
  return { config, runs: every(draw, period, span), jitter: grace * 0.4 };
}

/** Without a configured rhythm, so that the weekend is to be learned (behavior 3.5). */
function drawWeekdays(draw: Draw, span: Span): Plan {
  const schedule = { cron: `${draw.whole(0, 59)} ${draw.whole(0, 23)} * * 1-5` };
  return { config: {}, runs: runsOf(schedule, span.from, span.to).map(({ at }) => at), jitter: 20 * MINUTE };
}

function every(draw: Draw, period: number, { from, to }: Span): number[] {
  const first = from + MINUTE + draw.fraction() * Math.min(period, 3 * HOUR);
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / period)) }, (_, turn) =>
    Math.round(first + turn * period),
  );
}

function drawDead(draw: Draw, { from, to }: Span): Span[] {
  const dead: Span[] = [];
  if (!draw.chance(0.6)) return dead;
  let at = from + draw.spread(0.5, 12) * DAY;
  while (at < to) {
    const end = at + draw.spread(HOUR, 4 * DAY);
    dead.push({ from: Math.round(at), to: Math.round(Math.min(end, to)) });
    at = end + draw.spread(1, 15) * DAY;
  }
  return dead;
}
