import { expect, test } from "bun:test";
import { monitorStatusLabel } from "../../../src/dashboard/web/status/status-mark.tsx";

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
