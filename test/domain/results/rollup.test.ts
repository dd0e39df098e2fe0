import { expect, test } from "bun:test";
import { dayOf, hourOf } from "../../../src/domain/results/rollup.ts";
import { at } from "../heartbeats/walk.ts";

test("a rollup starts with the hour or day of its results", () => {
  expect(hourOf(at("2027-03-28T01:59:59.999Z"))).toBe(at("2027-03-28T01:00:00Z"));
  expect(dayOf(at("2027-03-28T23:59:59.999Z"))).toBe(at("2027-03-28T00:00:00Z"));
});
