import { expect, test } from "bun:test";
import {
  type ComponentStatus,
  componentStatus,
  worstStatus,
} from "../../../src/domain/pages/component-status.ts";

test.each([
  ["up", true, false, "operational"],
  ["degraded", true, false, "degraded_performance"],
  ["havent_heard", true, false, "degraded_performance"],
  ["down", true, false, "major_outage"],
  ["unknown", true, false, "operational"],
  ["down", false, false, "operational"],
  ["down", true, true, "under_maintenance"],
  ["down", false, true, "operational"],
] as const)(
  "behavior 15.20: a monitor that is %s (enabled: %p, in a maintenance: %p) is shown as %s",
  (status, enabled, isMaintained, expected) => {
    expect(componentStatus({ status, enabled, isMaintained })).toBe(expected);
  },
);

test("behavior 15.40: the worst status of a group is shown for it, and without components it is operational", () => {
  const worst = (...statuses: ComponentStatus[]) => worstStatus(statuses.map((status) => ({ status })));
  expect(worst("operational", "under_maintenance")).toBe("under_maintenance");
  expect(worst("under_maintenance", "major_outage", "degraded_performance")).toBe("major_outage");
  expect(worst()).toBe("operational");
});
