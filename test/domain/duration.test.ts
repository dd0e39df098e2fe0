import { expect, test } from "bun:test";
import { formatDuration, formatLatency } from "../../src/domain/duration.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test.each([
  [0, "less than a second"],
  [999, "less than a second"],
  [59_999, "59 s"],
  [HOUR, "1 h"],
  [HOUR + 60_000, "1 h 1 min"],
  [DAY * 3 + HOUR * 5 + 60_000, "3 d 5 h"],
])("%d ms as a duration is %s", (length, text) => {
  expect(formatDuration(length)).toBe(text);
});

test.each([
  [0, "0 ms"],
  [0.4312, "0.4 ms"],
  [9.94, "9.9 ms"],
  [41.7, "42 ms"],
  [1812.4, "1812 ms"],
  [12_345, "12.3 s"],
])("%d ms as a latency is %s", (latencyMs, text) => {
  expect(formatLatency(latencyMs)).toBe(text);
});
