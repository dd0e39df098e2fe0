import { expect, test } from "bun:test";
import {
  durationInWords,
  formatDuration,
  formatLatency,
  formatMeanLatency,
} from "../../src/domain/duration.ts";

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
  [0, "less than a second"],
  [1000, "1 second"],
  [59_999, "59 seconds"],
  [60_000, "1 minute"],
  [125_000, "2 minutes 5 seconds"],
  [720_000, "12 minutes"],
  [3_600_000, "1 hour"],
  [3_900_000, "1 hour 5 minutes"],
  [86_400_000 + 30_000, "1 day"],
  [2 * 86_400_000 + 3 * 3_600_000, "2 days 3 hours"],
])("behavior 15.26: %p ms are %p", (length, words) => {
  expect(durationInWords(length)).toBe(words);
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

test.each([
  [0, "less than 1 ms"],
  [0.9, "less than 1 ms"],
  [1, "1.0 ms"],
  [42, "42 ms"],
])("behavior 17.2: a mean of %d ms is %s for readers of a public page", (latencyMs, text) => {
  expect(formatMeanLatency(latencyMs)).toBe(text);
});
