import { expect, test } from "bun:test";
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
  mostChecks,
} from "../../../src/runner/checks/concurrency-limit.ts";
import { mostTests } from "../../../src/runner/checks/test-limit.ts";
import { mostAttempts } from "../../../src/runner/deliveries/dispatcher.ts";

/** Lanes that know monitors as quick. */
function lanesWith(most: number, { quick }: { quick: number[] }): ConcurrencyLimit {
  const lanes = createConcurrencyLimit(most);
  for (const pk of quick) {
    lanes.tryAcquire(pk, 0);
    lanes.release(pk, 0);
  }
  return lanes;
}

const upTo = (count: number) => Array.from({ length: count }, (_, pk) => pk);

test("checks of slow targets take at most half of the room", () => {
  const lanes = lanesWith(10, { quick: upTo(30) });
  const entered = (pks: number[], at: number) => pks.filter((pk) => lanes.tryAcquire(pk, at));
  const hung = upTo(10);
  expect(entered(hung, 0)).toEqual(hung);
  // They all time out: from now on they are known.
  lanes.sort(5000);
  for (const pk of hung) lanes.release(pk, 10_000);
  expect(entered(hung, 10_000)).toEqual([0, 1, 2, 3, 4]);
  expect(entered([20, 21, 22, 23, 24, 25], 10_000)).toEqual([20, 21, 22, 23, 24]);
});

test("a check that hangs for the first time makes room for no other slow one", () => {
  const lanes = lanesWith(4, { quick: upTo(30) });
  for (const pk of [1, 2]) lanes.tryAcquire(pk, 0);
  lanes.release(1, 5000);
  lanes.sort(5000);
  expect(lanes.tryAcquire(3, 5000)).toBe(true);
  lanes.sort(7000);
  expect(lanes.tryAcquire(1, 7000)).toBe(false);
  expect(lanes.tryAcquire(4, 7000)).toBe(true);
});

test("a monitor that answers quickly again counts as healthy again", () => {
  const lanes = lanesWith(2, { quick: upTo(10) });
  lanes.tryAcquire(1, 0);
  lanes.release(1, 3000);
  lanes.tryAcquire(1, 3000);
  expect(lanes.tryAcquire(2, 3000)).toBe(true);
  lanes.release(1, 3010);
  lanes.release(2, 3010);
  expect([1, 2].map((pk) => lanes.tryAcquire(pk, 3020))).toEqual([true, true]);
});

test("a check that waits for its time is not slow", () => {
  const lanes = lanesWith(2, { quick: upTo(10) });
  lanes.tryAcquire(1, 9000);
  lanes.sort(8000);
  lanes.release(1, 9010);
  expect([1, 2].map((pk) => lanes.tryAcquire(pk, 10_000))).toEqual([true, true]);
});

test.each([64, 256, 1024, 65_536, 1_048_576])("of %d descriptors, checks leave enough to others", (limit) => {
  const held = mostChecks(limit) * 8;
  expect(held).toBeWithin(8, limit * 0.7 + 1);
});

test.each([64, 256, 1024, 4096, 65_536])(
  "checks, tests and deliveries together leave a tenth of %d descriptors to files and clients",
  (limit) => {
    const held = (mostChecks(limit) + mostTests(limit)) * 8 + mostAttempts(limit);
    expect(held).toBeLessThanOrEqual(limit * 0.9);
  },
);

test("after a shortage half as many checks run, counted once for all that met it", () => {
  const lanes = lanesWith(100, { quick: upTo(100) });
  const pks = upTo(100);
  const enter = (now: number) => pks.filter((pk) => lanes.tryAcquire(pk, now)).length;
  expect(enter(0)).toBe(100);
  for (const pk of pks) {
    lanes.shrink(0, 10);
    lanes.release(pk, 10);
  }
  expect(enter(20)).toBe(50);
  lanes.shrink(20, 30);
  for (const pk of pks) lanes.release(pk, 30);
  expect(enter(40)).toBe(25);
});

test("a shortage leaves one place at least, and the others come back in time", () => {
  const lanes = lanesWith(100, { quick: upTo(100) });
  const pks = upTo(100);
  const room = (now: number) => {
    lanes.sort(now);
    const entered = pks.filter((pk) => lanes.tryAcquire(pk, now));
    for (const pk of entered) lanes.release(pk, now);
    return entered.length;
  };
  expect(room(0)).toBe(100);
  for (let at = 1; at < 20; at++) {
    lanes.tryAcquire(0, at);
    lanes.shrink(at, at);
    lanes.release(0, at);
  }
  expect(room(20)).toBe(1);
  expect(room(30_020)).toBeWithin(50, 53);
  expect(room(70_000)).toBe(100);
  // A clock that is put back neither takes places nor gives any.
  expect(room(10_000)).toBe(100);
  lanes.shrink(10_000, 10_001);
  expect(room(10_001)).toBeLessThan(100);
});

test("checks of targets that nothing is known of leave room to those that were quick", () => {
  const lanes = lanesWith(16, { quick: [100, 101, 102] });
  expect(upTo(20).filter((pk) => lanes.tryAcquire(pk, 0))).toEqual(upTo(14));
  expect([100, 101, 102].map((pk) => lanes.tryAcquire(pk, 0))).toEqual([true, true, false]);
});

test("a check that needs fewer sockets than it might makes room for others", () => {
  const lanes = lanesWith(4, { quick: upTo(30) });
  const enter = (...pks: number[]) => pks.filter((pk) => lanes.tryAcquire(pk, 0)).length;
  expect(enter(1, 2, 3, 4, 5)).toBe(4);
  for (const pk of [1, 2, 3, 4]) lanes.settle(pk, 2);
  expect(enter(5, 6, 7, 8)).toBe(3);
  for (const pk of [1, 2, 3, 4, 5, 6, 7]) lanes.release(pk, 10);
  expect(enter(1, 2, 3, 4, 5)).toBe(4);
});

test("slow checks that need few sockets take at most half of the room, too", () => {
  const lanes = lanesWith(4, { quick: upTo(30) });
  const pks = upTo(30);
  for (const pk of pks) {
    lanes.tryAcquire(pk, 0);
    lanes.release(pk, 5000);
  }
  for (const pk of pks) if (lanes.tryAcquire(pk, 5000)) lanes.settle(pk, 1);
  // Two whole checks fit into the other half, less what the last slow one holds.
  expect([40, 41, 42].map((pk) => lanes.tryAcquire(pk, 5000))).toEqual([true, true, false]);
});

/** Walks the clock through an outage. @returns the time at which the last monitor is recorded, in seconds */
function recordOutage(monitors: number, { sockets, limit }: { sockets: number; limit: number }): number {
  const TIMEOUT = 10;
  const lanes = createConcurrencyLimit(mostChecks(limit));
  const waiting = upTo(monitors);
  const running: { pk: number; end: number }[] = [];
  let recorded = 0;
  for (let second = 0; second < 10_000; second++) {
    lanes.sort(second * 1000);
    while (running[0] && running[0].end <= second) {
      lanes.release(running.shift()?.pk ?? 0, second * 1000);
      recorded++;
    }
    if (recorded === monitors) return second;
    for (const { pk, end } of running) if (end - second < TIMEOUT) lanes.settle(pk, sockets);
    while (waiting[0] !== undefined && lanes.tryAcquire(waiting[0], second * 1000)) {
      running.push({ pk: waiting.shift() ?? 0, end: second + TIMEOUT });
    }
    // A check that can't open all its sockets says nothing.
    expect(running.length * sockets).toBeLessThan(limit * 0.7);
  }
  throw new Error("not all are recorded");
}

test.each([
  [150, { sockets: 8, limit: 1024 }, 20],
  [20_000, { sockets: 6, limit: 65_536 }, 40],
  [20_000, { sockets: 1, limit: 65_536 }, 20],
  [20_000, { sockets: 8, limit: 262_144 }, 20],
])(
  "an outage of %d monitors with %j is recorded to the last one, in %d s at most",
  (monitors, machine, seconds) => {
    expect(recordOutage(monitors, machine)).toBeLessThanOrEqual(seconds);
  },
);
