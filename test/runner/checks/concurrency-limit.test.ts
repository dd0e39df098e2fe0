import { expect, test } from "bun:test";
import {
  createConcurrencyLimit,
  maxChecks,
  NOTHING,
  type Place,
} from "../../../src/runner/checks/concurrency-limit.ts";
import { maxTests } from "../../../src/runner/checks/monitor-test.ts";
import { planStarts } from "../../../src/runner/checks/plan-starts.ts";
import { maxAttempts } from "../../../src/runner/deliveries/dispatcher.ts";

/** A limit with the checks that run, by monitor. */
function createLimit(max: number) {
  const limit = createConcurrencyLimit(max);
  const running = new Map<number, Place>();
  const withPlace = (pk: number, act: (place: Place) => void) => {
    const place = running.get(pk);
    if (place) act(place);
  };
  return {
    limits: limit.limits,
    start(pk: number, startAt: number) {
      const place = { pk, startAt, usage: NOTHING };
      running.set(pk, place);
      limit.start(place);
    },
    settle: (pk: number, sockets: number) => withPlace(pk, (place) => limit.settle(place, sockets)),
    finish: (pk: number, now: number) => withPlace(pk, (place) => limit.finish(place, now)),
    release: (pk: number, now: number, sockets?: number) =>
      withPlace(pk, (place) => {
        running.delete(pk);
        limit.release(place, now, sockets);
      }),
    update: (now: number) => limit.update(running.values(), now),
    shrink: limit.shrink,
  };
}

type TestLimit = ReturnType<typeof createLimit>;

/** A limit that knows monitors as quick. */
function limitWith(max: number, { quick }: { quick: number[] }): TestLimit {
  const limit = createLimit(max);
  for (const pk of quick) {
    limit.start(pk, 0);
    limit.release(pk, 0);
  }
  return limit;
}

/** Starts the check of a monitor if it fits. */
function tryStart(limit: TestLimit, pk: number, at: number): boolean {
  const slots = [{ pk, nextCheckAt: at }];
  const { overdue } = planStarts(slots, {
    now: at,
    listed: null,
    running: new Map(),
    isPostponed: () => false,
    limits: limit.limits(),
  });
  for (const one of overdue) limit.start(one.pk, at);
  return overdue.length > 0;
}

const upTo = (count: number) => Array.from({ length: count }, (_, pk) => pk);

test("behavior 1.13: slow checks take at most half of the sockets", () => {
  const limit = limitWith(10, { quick: upTo(30) });
  const entered = (pks: number[], at: number) => pks.filter((pk) => tryStart(limit, pk, at));
  const hung = upTo(10);
  expect(entered(hung, 0)).toEqual(hung);
  // They all time out: from now on they are known to be slow.
  limit.update(5000);
  for (const pk of hung) limit.release(pk, 10_000);
  expect(entered(hung, 10_000)).toEqual([0, 1, 2, 3, 4]);
  expect(entered([20, 21, 22, 23, 24, 25], 10_000)).toEqual([20, 21, 22, 23, 24]);
});

test.each([
  [999, true],
  [1000, false],
])("behavior 1.13: after a check of %d ms, another slow one may run beside it: %p", (lasts, fits) => {
  const limit = limitWith(2, { quick: upTo(2) });
  for (const pk of [0, 1]) tryStart(limit, pk, 0);
  limit.release(0, lasts);
  limit.update(1000);
  expect(tryStart(limit, 0, 1000)).toBe(fits);
});

test("behavior 1.13: the wait of a result for its commit does not count as a part of its check", () => {
  const limit = limitWith(2, { quick: upTo(2) });
  for (const pk of [0, 1]) {
    tryStart(limit, pk, 0);
    limit.finish(pk, pk === 0 ? 999 : 1000);
    limit.update(1300);
    limit.release(pk, 1300);
  }
  // The second one is slow: two of its kind do not run beside each other.
  expect([0, 1].map((pk) => limit.limits().usageOfNew(pk).slowSockets)).toEqual([0, 8]);
});

test("a check that hangs for the first time counts as slow", () => {
  const limit = limitWith(4, { quick: upTo(30) });
  for (const pk of [1, 2]) tryStart(limit, pk, 0);
  limit.release(1, 5000);
  limit.update(5000);
  expect(tryStart(limit, 3, 5000)).toBe(true);
  limit.update(7000);
  expect(tryStart(limit, 1, 7000)).toBe(false);
  expect(tryStart(limit, 4, 7000)).toBe(true);
});

test("a monitor that responds quickly again counts as quick again", () => {
  const limit = limitWith(2, { quick: upTo(10) });
  tryStart(limit, 1, 0);
  limit.release(1, 3000);
  tryStart(limit, 1, 3000);
  expect(tryStart(limit, 2, 3000)).toBe(true);
  limit.release(1, 3010);
  limit.release(2, 3010);
  expect([1, 2].map((pk) => tryStart(limit, pk, 3020))).toEqual([true, true]);
});

test("a check that waits for its start is not slow", () => {
  const limit = limitWith(2, { quick: upTo(10) });
  tryStart(limit, 1, 9000);
  limit.update(8000);
  limit.release(1, 9010);
  expect([1, 2].map((pk) => tryStart(limit, pk, 10_000))).toEqual([true, true]);
});

test.each([64, 256, 1024, 65_536, 1_048_576])(
  "of %d descriptors, checks leave enough for other purposes",
  (limit) => {
    const held = maxChecks(limit) * 8;
    expect(held).toBeWithin(8, limit * 0.7 + 1);
  },
);

test.each([64, 256, 1024, 4096, 65_536])(
  "checks, tests and deliveries together leave a tenth of %d descriptors to files and clients",
  (limit) => {
    const held = (maxChecks(limit) + maxTests(limit)) * 8 + maxAttempts(limit);
    expect(held).toBeLessThanOrEqual(limit * 0.9);
  },
);

test("after a shortage half as many checks run, halved once for all checks that failed together", () => {
  const limit = limitWith(100, { quick: upTo(100) });
  const pks = upTo(100);
  const enter = (now: number) => pks.filter((pk) => tryStart(limit, pk, now)).length;
  expect(enter(0)).toBe(100);
  for (const pk of pks) {
    limit.shrink(0, 10);
    limit.release(pk, 10);
  }
  expect(enter(20)).toBe(50);
  limit.shrink(20, 30);
  for (const pk of pks) limit.release(pk, 30);
  expect(enter(40)).toBe(25);
});

test("a shortage leaves at least one check, and the limit recovers within a minute", () => {
  const limit = limitWith(100, { quick: upTo(100) });
  const pks = upTo(100);
  const room = (now: number) => {
    limit.update(now);
    const entered = pks.filter((pk) => tryStart(limit, pk, now));
    for (const pk of entered) limit.release(pk, now);
    return entered.length;
  };
  expect(room(0)).toBe(100);
  for (let at = 1; at < 20; at++) {
    tryStart(limit, 0, at);
    limit.shrink(at, at);
    limit.release(0, at);
  }
  expect(room(20)).toBe(1);
  expect(room(30_020)).toBeWithin(50, 53);
  expect(room(70_000)).toBe(100);
});

test("a monitor whose last check was quick is counted by the sockets of that check", () => {
  const limit = createLimit(2);
  const enter = (pks: number[]) => pks.filter((pk) => tryStart(limit, pk, 0)).length;
  for (const pk of upTo(30)) {
    limit.start(pk, 0);
    limit.release(pk, 10, pk < 20 ? 1 : 3);
  }
  expect(enter(upTo(20))).toBe(16);
  for (const pk of upTo(20)) limit.release(pk, 10, 1);
  expect(enter([20, 21, 22, 23, 24, 25])).toBe(5);
});

test("monitors of unknown speed get their share although quick ones hold the other sockets", () => {
  const limit = limitWith(16, { quick: upTo(13) });
  for (const pk of upTo(13)) tryStart(limit, pk, 0);
  // 13 of 16 are held, but none of them by an unknown monitor.
  expect([100, 101, 102, 103].filter((pk) => tryStart(limit, pk, 0))).toEqual([100, 101, 102]);
});

test("monitors of unknown speed leave sockets to those that were quick", () => {
  const limit = limitWith(16, { quick: [100, 101, 102] });
  expect(upTo(20).filter((pk) => tryStart(limit, pk, 0))).toEqual(upTo(14));
  expect([100, 101, 102].map((pk) => tryStart(limit, pk, 0))).toEqual([true, true, false]);
});

test("a check that needs fewer sockets than the maximum leaves the others free", () => {
  const limit = limitWith(4, { quick: upTo(30) });
  const enter = (...pks: number[]) => pks.filter((pk) => tryStart(limit, pk, 0)).length;
  expect(enter(1, 2, 3, 4, 5)).toBe(4);
  for (const pk of [1, 2, 3, 4]) limit.settle(pk, 2);
  expect(enter(5, 6, 7, 8)).toBe(3);
  for (const pk of [1, 2, 3, 4, 5, 6, 7]) limit.release(pk, 10);
  expect(enter(1, 2, 3, 4, 5)).toBe(4);
});

test("behavior 10.105: a check that holds more sockets than the usual maximum is counted with all of them", () => {
  const limit = limitWith(4, { quick: upTo(30) });
  for (const pk of [1, 2]) tryStart(limit, pk, 0);
  limit.settle(1, 20);
  expect([3, 4].map((pk) => tryStart(limit, pk, 0))).toEqual([false, false]);
  limit.release(1, 10);
  expect([3, 4, 5].map((pk) => tryStart(limit, pk, 10))).toEqual([true, true, true]);
});

test("slow checks that need few sockets also take at most half of all sockets", () => {
  const limit = limitWith(4, { quick: upTo(30) });
  const pks = upTo(30);
  for (const pk of pks) {
    tryStart(limit, pk, 0);
    limit.release(pk, 5000);
  }
  for (const pk of pks) if (tryStart(limit, pk, 5000)) limit.settle(pk, 1);
  // Two whole checks fit into the other half, minus what the last slow one holds.
  expect([40, 41, 42].map((pk) => tryStart(limit, pk, 5000))).toEqual([true, true, false]);
});

/** Walks the clock through an outage. @returns when the last monitor is recorded, in seconds */
function recordOutage(
  monitors: number,
  { sockets, descriptors }: { sockets: number; descriptors: number },
): number {
  const TIMEOUT = 10;
  const limit = createLimit(maxChecks(descriptors));
  const waiting = upTo(monitors);
  const running: { pk: number; end: number }[] = [];
  let recorded = 0;
  for (let second = 0; second < 10_000; second++) {
    limit.update(second * 1000);
    while (running[0] && running[0].end <= second) {
      limit.release(running.shift()?.pk ?? 0, second * 1000);
      recorded++;
    }
    if (recorded === monitors) return second;
    for (const { pk, end } of running) if (end - second < TIMEOUT) limit.settle(pk, sockets);
    while (waiting[0] !== undefined && tryStart(limit, waiting[0], second * 1000)) {
      running.push({ pk: waiting.shift() ?? 0, end: second + TIMEOUT });
    }
    // A check that can't open all its sockets is inconclusive.
    expect(running.length * sockets).toBeLessThan(descriptors * 0.7);
  }
  throw new Error("not all are recorded");
}

test.each([
  [150, { sockets: 8, descriptors: 1024 }, 20],
  [20_000, { sockets: 6, descriptors: 65_536 }, 40],
  [20_000, { sockets: 1, descriptors: 65_536 }, 20],
  [20_000, { sockets: 8, descriptors: 262_144 }, 20],
])("an outage of %d monitors with %j is completely recorded within %d s", (monitors, machine, seconds) => {
  expect(recordOutage(monitors, machine)).toBeLessThanOrEqual(seconds);
});
