import { expect, test } from "bun:test";
import { createFairShare, type FairShare } from "../../../src/runner/deliveries/dispatcher.ts";

function takeAll(places: FairShare, organization: number): number {
  let taken = 0;
  while (places.take(organization)) taken++;
  return taken;
}

test("behavior 5.44: one organization alone gets half of the places, and each further one finds a place", () => {
  const places = createFairShare(400);
  expect([1, 2, 3, 4].map((organization) => takeAll(places, organization))).toEqual([200, 100, 50, 25]);
});

test("a place that is released can be taken again", () => {
  const places = createFairShare(4);
  expect(takeAll(places, 1)).toBe(2);
  places.release(1);
  expect(takeAll(places, 1)).toBe(1);
});
