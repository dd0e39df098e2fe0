import { expect, test } from "bun:test";
import { type CatchUp, createCatchUp } from "../../../src/runner/checks/due-starts.ts";

/** When checks start that are overdue at once, in milliseconds, with a scan every 250 ms. */
function startsOf(overdue: number): number[] {
  const catchUp = createCatchUp();
  const starts: number[] = [];
  for (let now = 0; starts.length < overdue; now += 250) {
    const left = overdue - starts.length;
    starts.push(...catchUp.plan(now, { overdue: left, fitting: left }).map((delay) => now + delay));
  }
  return starts;
}

/** Most starts within a second that begins at a full second. */
function mostPerSecond(starts: number[]): number {
  const perSecond = Map.groupBy(starts, (at) => Math.floor(at / 1000));
  return Math.max(...[...perSecond.values()].map(({ length }) => length));
}

test("one overdue check starts immediately", () => {
  expect(createCatchUp().plan(0, { overdue: 1, fitting: 1 })).toEqual([0]);
});

test("behavior 1.12: a thousand overdue checks start one each millisecond", () => {
  expect(startsOf(1000)).toEqual(Array.from({ length: 1000 }, (_, at) => at));
});

test("behavior 1.12: thousands of overdue checks start evenly within 8 s", () => {
  const starts = startsOf(20_000);
  expect(starts).toHaveLength(20_000);
  expect(starts.at(-1)).toBeWithin(7500, 8501);
  expect(mostPerSecond(starts)).toBeWithin(2400, 2700);
});

test("checks are claimed only half a second before they start", () => {
  const delays = createCatchUp().plan(0, { overdue: 20_000, fitting: 20_000 });
  expect(delays).toHaveLength(1250);
  expect(delays.at(-1)).toBeLessThan(500);
});

test("checks that did not fit at first start within what is left of the 8 s", () => {
  const catchUp = createCatchUp();
  catchUp.plan(0, { overdue: 10_000, fitting: 0 });
  const delays = catchUp.plan(6000, { overdue: 10_000, fitting: 10_000 });
  // 10,000 within 2 s.
  expect(delays).toHaveLength(2500);
});

test("what a scan left starts at the pace of that scan, and counts as started for the next one", () => {
  const catchUp = createCatchUp();
  // 2.5 for each millisecond.
  const first = catchUp.plan(0, { overdue: 20_000, fitting: 100 });
  expect(first.at(-1)).toBeCloseTo(39.6);
  const more = catchUp.more(100, 100);
  expect([more[0], more.at(-1)]).toEqual([0, expect.closeTo(39.6)]);
  const next = catchUp.plan(1000, { overdue: 19_800, fitting: 1000 });
  // 19,800 within 7 s, and none has come.
  expect(next.at(-1)).toBeCloseTo(999 / (19_800 / 7000), 0);
});

/** Starts of a machine that has more due than it can check: each second, all of them are due again. */
function startsWhileSaturated(catchUp: CatchUp, monitors: number): number[] {
  const dueAt = Array.from({ length: monitors }, () => 0);
  return Array.from({ length: 12 }, (_, second) => {
    let started = 0;
    for (let now = second * 1000; now < (second + 1) * 1000; now += 100) {
      const overdue = dueAt.flatMap((at, monitor) => (at <= now ? [monitor] : []));
      const starting = catchUp.plan(now, {
        overdue: overdue.length,
        fitting: Math.min(overdue.length, 1000),
      });
      for (const [place] of starting.entries()) dueAt[overdue[place] ?? 0] = now + 500;
      started += starting.length;
    }
    return started;
  });
}

test("behavior 1.12: while all is overdue again and again, the pace follows the machine", () => {
  const started = startsWhileSaturated(createCatchUp(), 15_000);
  expect(started[0]).toBeWithin(1500, 6000);
  // As many as fit: 1,000 in each scan.
  expect(started.slice(6)).toEqual(Array.from({ length: 6 }, () => 10_000));
});
