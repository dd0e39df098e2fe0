import { expect, test } from "bun:test";
import { localTextOf, timeIn } from "../../../src/dashboard/web/form/field-errors.ts";

const local = (...parts: [number, number, number, number, number, number]) =>
  new Date(...parts).toISOString();

test("a field shows a time in the reader's zone, with seconds only if it has some", () => {
  expect(localTextOf(local(2026, 10, 4, 9, 5, 0))).toBe("2026-11-04T09:05");
  expect(localTextOf(local(2026, 10, 4, 9, 5, 7))).toBe("2026-11-04T09:05:07");
});

test("a time that is not edited stays as precise as it was", () => {
  const stored = "2026-11-24T12:00:00.123Z";
  expect(timeIn(localTextOf(stored), stored)).toBe(stored);
  expect(timeIn("2026-11-25T00:00", stored)).toBe(local(2026, 10, 25, 0, 0, 0));
});

test("a text that is no time stays, so that the validation refuses it", () => {
  expect(timeIn("tomorrow")).toBe("tomorrow");
  expect(timeIn("12026-01-01T00:00")).toBe("12026-01-01T00:00");
  expect(timeIn(undefined)).toBeUndefined();
});
