import { describe, expect, test } from "bun:test";
import { ONLY_HERE, type Placement, placementAfter } from "../../../src/domain/locations/place.ts";
import type { MonitorType } from "../../../src/domain/monitors/monitor.ts";
import { type MonitorChanges, planMonitorUpdate } from "../../../src/domain/monitors/monitor-update.ts";

const NOW = Date.parse("2027-01-31T00:00:00Z");
const three: Placement = { locations: ["here", "a", "b"], downWhen: 2 };

function update(changes: MonitorChanges, placement: Placement = three, type: MonitorType = "TCP") {
  const config = { host: "a.example", port: 25, interval: 60 };
  const numbers = { confirmations: 0, recoveries: 0 };
  const monitor = {
    type,
    name: "m",
    config,
    enabled: true,
    tags: [],
    ref: null,
    ...numbers,
    ...placement,
  };
  return planMonitorUpdate(monitor, changes, { plan: "enterprise", now: NOW });
}

test.each<[MonitorType, Placement, Partial<Placement>, string]>([
  ["TCP", ONLY_HERE, { downWhen: 2 }, "downWhen must be at most 1, the number of locations, got 2"],
  ["TCP", three, { locations: ["a"] }, "downWhen must be at most 1, the number of locations, got 2"],
  ["SCHEDULED", ONLY_HERE, { locations: ["here"] }, "locations must be left out for SCHEDULED monitors"],
  ["SCHEDULED", ONLY_HERE, { downWhen: "majority" }, "downWhen must be left out for SCHEDULED monitors"],
])("behavior 13.2, 13.3: a %s monitor at %p with %p is refused", (type, before, changes, message) => {
  expect(() => placementAfter({ type, ...before }, changes)).toThrow(message);
  expect(() => update(changes, before, type)).toThrow(message);
});

describe("behavior 13.3: checks under way", () => {
  test.each<[MonitorChanges, boolean]>([
    [{ locations: ["here", "a", "b"], downWhen: 2 }, false],
    [{ name: "other" }, false],
    [{ locations: ["here", "b", "a"] }, true],
    [{ locations: ["here", "a"] }, true],
    [{ locations: ["here", "a", "c"] }, true],
    [{ downWhen: "any" }, true],
  ])("with %p, become invalid: %p", (changes, isRevised) => {
    expect(update(changes)).toMatchObject({ ...three, ...changes, isRevised, isOtherTarget: false });
  });
});

test("behavior 13.1: this server checks only what has it among its locations", () => {
  expect(update({ locations: ["a", "b"] }).nextCheckAt).toBeNull();
  expect(update({ locations: ["b", "here"] }).nextCheckAt).toBe(NOW);
});
