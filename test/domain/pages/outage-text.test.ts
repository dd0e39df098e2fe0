import { expect, test } from "bun:test";
import { durationInWords, timeInWords } from "../../../src/domain/pages/outage-text.ts";

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

test("behavior 15.26: a time is in UTC", () => {
  expect(timeInWords(Date.UTC(2026, 0, 5, 3, 4, 59))).toBe("Jan 5, 03:04 UTC");
});
