import type { RhythmConfig } from "../../../../src/domain/heartbeats/heartbeat.ts";
import type { Draw } from "../draw.ts";
import { drawPattern, localRuns, longestJitter } from "../rhythms/patterns.ts";
import type { Span } from "./run-job.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const WEEK = 7 * DAY;

const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Africa/Casablanca",
  "UTC",
] as const;

/** A job lives for a year, or for so many runs. */
const MAX_RUNS = 1000;

/**
 * When a job is to run.
 *
 * @property early by how much the clock of the job is ahead @property jitter how late it starts at most @property shortest the shortest time between two runs; milliseconds
 * @property learnedAfter see `RunJob`
 */
export interface Rhythm extends Span {
  config: RhythmConfig;
  due: number[];
  early: number;
  jitter: number;
  shortest: number;
  learnedAfter: number;
}

/** Every minute to weekly, learned, with `period` or with `cron` in a zone whose clocks change. */
export function drawRhythm(draw: Draw, yearFrom: number): Rhythm {
  const from = yearFrom + draw.whole(0, 365) * DAY;
  return draw.chance(0.2) ? drawFrequent(draw, from) : drawLocal(draw, from);
}

function drawFrequent(draw: Draw, from: number): Rhythm {
  const minutes = draw.pick([1, 2, 5, 10, 15, 30] as const);
  const period = minutes * MINUTE;
  const to = from + MAX_RUNS * period;
  const kind = draw.pick(["learned", "period", "cron"] as const);
  const shift = kind === "cron" ? 0 : draw.whole(0, period);
  const grace = kind !== "learned" && draw.chance(0.3) ? draw.whole(30, 300) : undefined;
  const config = {
    ...(kind === "period" && { period: minutes * 60 }),
    ...(kind === "cron" && { cron: `*/${minutes} * * * *` }),
    ...(grace !== undefined && { grace }),
  };
  const tolerated = (grace ?? Math.max(60, (minutes * 60) / 5)) * SECOND;
  return {
    ...{ from, to, config, shortest: period },
    due: Array.from({ length: MAX_RUNS }, (_, turn) => from + shift + turn * period),
    early: drawEarly(draw),
    jitter: draw.spread(0.01, 0.4) * Math.min(tolerated, period / 3),
    learnedAfter: kind === "learned" ? DAY : 0,
  };
}

function drawLocal(draw: Draw, from: number): Rhythm {
  const zone = draw.pick(ZONES);
  const pattern = drawPattern(draw, zone);
  const { schedule, regular, learnedAfter } = pattern;
  const to = from + Math.min(365 * DAY, MAX_RUNS * regular);
  const due = localRuns(schedule, { from, to });
  const gaps = due.slice(1).map((at, place) => at - (due[place] ?? 0));
  const shortest = Math.min(...gaps);
  const isEven = shortest === Math.max(...gaps) && shortest === regular;
  const kind = isEven && draw.chance(0.7) ? "period" : draw.pick(["learned", "learned", "cron"] as const);
  const grace = kind !== "learned" && draw.chance(0.4) ? Math.round(draw.spread(300, 3600)) : undefined;
  const tolerated = (grace ?? Math.min(regular / 5, HOUR) / SECOND) * SECOND * 0.6;
  const config = {
    ...(kind === "period" && { period: regular / SECOND }),
    ...(kind === "cron" && { cron: schedule.cron, timezone: zone }),
    ...(grace !== undefined && { grace }),
  };
  return {
    ...{ from, to, config, due, shortest },
    early: drawEarly(draw),
    jitter: draw.spread(0.05, 1) * Math.min(longestJitter(pattern), tolerated),
    learnedAfter: kind === "learned" ? (regular === WEEK ? 32 * DAY : learnedAfter) : 0,
  };
}

function drawEarly(draw: Draw): number {
  return draw.chance(0.3) ? Math.round(draw.spread(1, 5 * SECOND)) : 0;
}
