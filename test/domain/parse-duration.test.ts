import { expect, test } from "bun:test";
import { parseDuration } from "../../src/domain/duration.ts";

test.each<[string, number | null]>([
  ["30m", 30 * 60_000],
  ["45s", 45_000],
  ["1h30m", 90 * 60_000],
  ["2d", 2 * 24 * 60 * 60_000],
  ["", null],
  ["30", null],
  ["0m", null],
  ["30m1h", null],
  ["-5m", null],
  ["5 m", null],
])("behavior 14.49: the duration %j is %j ms", (text, length) => {
  expect(parseDuration(text)).toBe(length);
});
