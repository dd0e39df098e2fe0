import { expect, test } from "bun:test";
import type { SimMaintenance, SimMonitor } from "../../../../scripts/simulator/ledger.ts";
import type { Run } from "../../../../scripts/simulator/oracle/calm/windows.ts";
import { judgeRhythms } from "../../../../scripts/simulator/oracle/rhythms/judge-rhythms.ts";
import { localRuns } from "../../../../scripts/simulator/truth/rhythms/patterns.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** The clocks of Berlin change on 29 March. */
const SPAN = { from: Date.parse("2026-03-02T00:00:00Z"), to: Date.parse("2026-04-13T00:00:00Z") };
const SCHEDULE = { cron: "0 6 * * 1-5", timezone: "Europe/Berlin" };

/** A job of weekdays. @param dead whether it is, at a run */
function job(dead: (due: number) => boolean = () => false): SimMonitor {
  const runs = localRuns(SCHEDULE, SPAN).map((due) => ({ due, at: dead(due) ? null : due + MINUTE }));
  return {
    name: "job",
    type: "SCHEDULED",
    config: { interval: 300 },
    channelNames: [],
    plan: { runs, regular: DAY, learnedAfter: 10 * DAY, isLearned: true },
  };
}

function broken(monitor: SimMonitor, misses: number[], windows: Run[] = []): string[] {
  const results = misses.map((createdAtWall) => ({
    ...{ monitor: "job", status: "havent_heard" as const, latencyMs: null, detail: null },
    createdAtWall,
  }));
  return judgeRhythms(monitor, { results, windows, absent: [], span: SPAN }).map(({ rule }) => rule);
}

const HEALTHY = "a healthy job is never late";
const DEAD = "a dead job is reported";
const at = (text: string) => Date.parse(`2026-${text}:00Z`);

test("a healthy job may be late on its first weekend, and never at a change of clocks", () => {
  expect(broken(job(), [at("03-07T06:01"), at("03-08T06:01")])).toEqual([]);
  expect(broken(job(), [at("03-30T05:30")])).toEqual([HEALTHY]);
  expect(broken(job(), [at("04-06T05:30")])).toEqual([HEALTHY]);
});

test("a dead job is reported a few hours after its first run that was not made, and no earlier", () => {
  const dies = job((due) => due >= at("04-07T00:00"));
  expect(broken(dies, [at("04-07T06:00")])).toEqual([]);
  expect(broken(dies, [])).toEqual([DEAD]);
  expect(broken(dies, [at("04-07T12:00")])).toEqual([DEAD]);
  expect(broken(dies, [at("04-07T03:00"), at("04-07T06:00")])).toEqual([HEALTHY]);
});

test("each of its maintenances excuses the silence of a dead job once", () => {
  const dies = job((due) => due >= at("04-07T00:00"));
  const nightly = everyNight("nightly");
  expect(broken(dies, [at("04-08T08:00")], nightly)).toEqual([]);
  expect(broken(dies, [at("04-07T04:10"), at("04-08T08:00")], nightly)).toEqual([
    "the first window of a silence excuses it",
  ]);
  expect(broken(dies, [], nightly)).toEqual([DEAD]);
  expect(broken(dies, [at("04-09T08:00")], nightly)).toEqual([DEAD]);
  expect(broken(dies, [at("04-09T08:00")], [...nightly, ...everyNight("another")])).toEqual([]);
});

/** From 03:30 to 05:00 UTC, over the run at 04:00. */
function everyNight(name: string): Run[] {
  const maintenance: SimMaintenance = {
    name,
    selector: { all: true },
    notifies: [],
    window: { cron: "30 3 * * *", duration: 5400 },
  };
  return Array.from({ length: 42 }, (_, day) => {
    const from = SPAN.from + day * DAY + 3.5 * HOUR;
    return { maintenance, from, to: from + 1.5 * HOUR, isEarly: false };
  });
}
