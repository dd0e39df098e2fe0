import { expect, test } from "bun:test";
import { timeInWords } from "../../../src/domain/pages/outage-view.ts";

test("behavior 15.26: a time is in UTC", () => {
  expect(timeInWords(Date.UTC(2026, 0, 5, 3, 4, 59))).toBe("Jan 5, 03:04 UTC");
});
