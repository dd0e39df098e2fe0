import { expect, test } from "bun:test";
import { english } from "../../../src/dashboard/languages/english.ts";
import { monitorStatusLabel } from "../../../src/dashboard/web/status/status-mark.tsx";
import { reasonLabels } from "../../../src/domain/checks/reason-words.ts";
import { statusLabel } from "../../../src/domain/monitors/status-label.ts";

test.each([
  ["active", true, "Not expired"],
  ["havent_heard", true, "No check-in"],
  ["unknown", true, "Waiting"],
  ["down", false, "Paused"],
] as const)(
  "behavior 1.6: a monitor with the status %s, enabled: %p, is shown as %s",
  (status, enabled, label) => {
    expect(monitorStatusLabel({ status, enabled })).toBe(label);
  },
);

test("the English page names statuses and reasons as the API and the command line do", () => {
  expect(english.status.label).toEqual(statusLabel);
  expect(english.status.reason).toEqual(reasonLabels);
});
