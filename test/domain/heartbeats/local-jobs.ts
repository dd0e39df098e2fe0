import { runsOf } from "../../../scripts/simulator/truth/cron-runs.ts";
import { at, DAY, MINUTE, Walk } from "./walk.ts";

/** Jobs that keep the local time of a zone, over a year in which its clocks change. stillup learns their rhythm. */

export const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Sydney",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Africa/Casablanca",
];

/** @property hours the local hours of its runs @property spread how much later than at the minute a run ends at most */
export interface Kind {
  name: string;
  hours: string[];
  days: string;
  spread: number;
}

const EACH_HOUR = ["0", "1", "2", "3", "4", "6", "12", "18", "23"];

export const KINDS: Kind[] = [
  { name: "daily", hours: EACH_HOUR, days: "* * *", spread: 12 * MINUTE },
  { name: "weekdays", hours: EACH_HOUR, days: "* * 1-5", spread: 12 * MINUTE },
  { name: "weekly", hours: EACH_HOUR, days: "* * 1", spread: 12 * MINUTE },
  { name: "hourly, 9 to 17", hours: ["9-17"], days: "* * *", spread: 7 * MINUTE },
  { name: "hourly, 9 to 17, weekdays", hours: ["9-17"], days: "* * 1-5", spread: 7 * MINUTE },
  { name: "hourly at night", hours: ["0-5,22,23"], days: "* * *", spread: 5 * MINUTE },
  { name: "every 4 hours", hours: ["0-23/4"], days: "* * *", spread: 7 * MINUTE },
];

/** The job learns from the first moment on, and is judged from the second moment on. */
const FIRST = at("2025-11-24T00:00:00Z");
const START = at("2026-01-05T00:00:00Z");
const END = at("2027-01-05T00:00:00Z");

export interface LocalJob {
  /** When a run is due, and when its check-in arrives; milliseconds since 1970. */
  runs: { due: number; checkin: number }[];
}

/**
 * @param seed decides its minute, how long each run takes, which of two equal local times its scheduler takes, and whether it
 *   leaves out a local time that does not exist, or runs later
 */
export function localJob(
  { days, spread }: Kind,
  { hours, timezone, seed }: { hours: string; timezone: string; seed: number },
): LocalJob {
  const draw = fractions(seed);
  const minute = Math.floor(draw() * 60);
  const repeated = draw() < 0.5 ? "first" : "again";
  const late = draw() < 0.5 ? "skipped" : "once";
  const runs = runsOf({ cron: `${minute} ${hours} ${days}`, timezone }, FIRST, END)
    .filter(({ local }) => local === "once" || local === late || local === repeated)
    .map(({ at: due }) => ({ due, checkin: due + Math.round(draw() * spread) }));
  return { runs: runs.filter(({ due }, place) => due !== runs[place - 1]?.due) };
}

/** The false alarms of a year in which the job never fails: the times of the missed runs. */
export function falseAlarms({ runs }: LocalJob): number[] {
  const walk = new Walk({}, FIRST);
  for (const { checkin } of runs) walk.checkin(checkin);
  return walk.misses.filter((miss) => miss >= START);
}

/** How long after it was due the first run of a job that is dead by then is noticed, once every few weeks; milliseconds. */
export function noticedAfter({ runs }: LocalJob, seed: number): number[] {
  const draw = fractions(seed);
  const walk = new Walk({}, FIRST);
  const delays: number[] = [];
  let next = START;
  for (const { due, checkin } of runs) {
    if (due >= next && draw() < 0.1) {
      const dead = Object.assign(new Walk({}, walk.now), { state: walk.state }).listen(due + 7 * DAY);
      delays.push((dead.misses[0] ?? Number.POSITIVE_INFINITY) - due);
      next = due + 7 * DAY;
    }
    walk.checkin(checkin);
  }
  return delays;
}

/** Numbers from 0 to 1, the same for each seed (mulberry32). */
function fractions(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
