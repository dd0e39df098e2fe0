import { expect, test } from "bun:test";
import { formatShortDuration } from "../../../src/dashboard/web/ui/durations.ts";
import { formatExpiry } from "../../../src/dashboard/web/ui/expiry.ts";

const HOUR = 3_600_000;

test.each([
  [0, "0 s"],
  [999, "0 s"],
  [61_000, "1 min"],
  [HOUR, "1 h"],
  [53 * HOUR, "2 d"],
])("%d ms in one unit is %s", (length, short) => {
  expect(formatShortDuration(length)).toBe(short);
});

test.each([
  [50 * HOUR, "2 days left"],
  [24 * HOUR, "1 day left"],
  [5 * HOUR, "5 h left"],
  [0, "Expired less than a second ago"],
  [-5 * HOUR, "Expired 5 h ago"],
  [-74 * HOUR, "Expired 3 days ago"],
])("an expiry %d ms away is: %s", (left, text) => {
  expect(formatExpiry(left)).toBe(text);
});
