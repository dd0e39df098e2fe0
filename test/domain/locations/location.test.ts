import { expect, test } from "bun:test";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import { type DownWhen, isOnlyHere, slotOffset } from "../../../src/domain/locations/location.ts";
import { votesNeeded } from "../../../src/domain/locations/plan-observation.ts";
import { START } from "./walk.ts";

test.each<[DownWhen, number[]]>([
  ["majority", [1, 2, 2, 3, 3]],
  ["any", [1, 1, 1, 1, 1]],
  ["all", [1, 2, 3, 4, 5]],
  [1, [1, 1, 1, 1, 1]],
  [3, [1, 2, 3, 3, 3]],
])("behavior 13.10: %p of 1 to 5 votes are %p", (downWhen, expected) => {
  expect([1, 2, 3, 4, 5].map((voters) => votesNeeded(downWhen, voters))).toEqual(expected);
});

test.each([
  [["here"], true],
  [["here", "a"], false],
  [["a"], false],
])("behavior 13.1: %p is only this server: %p", (ids, expected) => {
  expect(isOnlyHere(ids)).toBe(expected);
});

test.each([1, 60, 86_400])(
  "behavior 13.4: with an interval of %p s, the slots of three locations are spread evenly over it",
  (interval) => {
    const slots = [0, 1, 2].map((place) =>
      nextCheckAt("abc", interval, START, slotOffset(place, 3, interval)),
    );
    const [first = 0, ...others] = slots.toSorted((one, other) => one - other);
    const gaps = [...others, first + interval * 1000].map((slot, at) => slot - ([first, ...others][at] ?? 0));
    for (const gap of gaps) expect(Math.abs(gap - (interval * 1000) / 3)).toBeLessThanOrEqual(1);
    expect(slots[0]).toBe(nextCheckAt("abc", interval, START));
  },
);
