import { expect, test } from "bun:test";
import { createLanes } from "../../src/runner/lanes.ts";

test("checks of slow targets take at most half of the room", () => {
  const lanes = createLanes(10);
  const entered = (pks: number[], at: number) => pks.filter((pk) => lanes.enter(pk, at));
  const hung = Array.from({ length: 10 }, (_, pk) => pk);
  expect(entered(hung, 0)).toEqual(hung);
  // They all time out: from now on they are known.
  lanes.sort(5000);
  for (const pk of hung) lanes.leave(pk, 10_000);
  expect(entered(hung, 10_000)).toEqual([0, 1, 2, 3, 4]);
  expect(entered([20, 21, 22, 23, 24, 25], 10_000)).toEqual([20, 21, 22, 23, 24]);
});

test("a check that hangs for the first time makes room for no other slow one", () => {
  const lanes = createLanes(4);
  for (const pk of [1, 2]) lanes.enter(pk, 0);
  lanes.leave(1, 5000);
  lanes.sort(5000);
  expect(lanes.enter(3, 5000)).toBe(true);
  lanes.sort(7000);
  expect(lanes.enter(1, 7000)).toBe(false);
  expect(lanes.enter(4, 7000)).toBe(true);
});

test("a monitor that answers quickly again counts as healthy again", () => {
  const lanes = createLanes(2);
  lanes.enter(1, 0);
  lanes.leave(1, 3000);
  lanes.enter(1, 3000);
  expect(lanes.enter(2, 3000)).toBe(true);
  lanes.leave(1, 3010);
  lanes.leave(2, 3010);
  expect([1, 2].map((pk) => lanes.enter(pk, 3020))).toEqual([true, true]);
});

test("a check that waits for its time is not slow", () => {
  const lanes = createLanes(2);
  lanes.enter(1, 9000);
  lanes.sort(8000);
  lanes.leave(1, 9010);
  expect([1, 2].map((pk) => lanes.enter(pk, 10_000))).toEqual([true, true]);
});
