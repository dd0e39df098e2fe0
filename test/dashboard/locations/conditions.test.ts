import { expect, test } from "bun:test";
import { HERE, locationLabel } from "../../../src/dashboard/web/locations/location-label.ts";
import { conditionOf } from "../../../src/dashboard/web/locations/location-list.tsx";
import { HERE_ID } from "../../../src/domain/locations/location.ts";

test.each([
  ["new", false, "Not connected yet"],
  ["connected", false, "Connected"],
  ["connected", true, "Network at fault"],
  ["silent", false, "Silent"],
  ["silent", true, "Silent"],
] as const)(
  "behavior 13.65: a location that is %s, at fault: %p, is shown as %s",
  (state, isAtFault, label) => {
    const condition = conditionOf({ state, isAtFault });
    expect(condition.label).toBe(label);
    expect(condition.effect === "").toBe(label === "Connected");
  },
);

test("this server has a name that readers understand", () => {
  expect(HERE).toBe(HERE_ID);
  expect(locationLabel(HERE)).toBe("This server");
  expect(locationLabel("fra")).toBe("fra");
});
