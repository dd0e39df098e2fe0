import { expect, test } from "bun:test";
import { monitorStatusLabel, RESULT_STATUSES } from "../../../src/dashboard/web/status/status-labels.ts";

test.each([
  ["havent_heard", true, "No check-in"],
  ["unknown", true, "Waiting"],
  ["down", false, "Paused"],
] as const)("a monitor with the status %s, enabled: %p, is shown as %s", (status, enabled, label) => {
  expect(monitorStatusLabel({ status, enabled })).toBe(label);
});

test("results cannot be filtered by a status that no result has", () => {
  expect(RESULT_STATUSES).not.toContain("unknown");
});
