import { expect, test } from "bun:test";
import { silentParents } from "../../../../src/dashboard/web/monitors/dependencies/graph.ts";

/** @param notified the IDs of the monitors to which an enabled channel is bound */
function monitors(...notified: string[]) {
  return [
    { id: "r", name: "Router", dependsOn: ["p"] },
    { id: "p", name: "Power", dependsOn: [] },
    { id: "s", name: "Shop", dependsOn: ["r"] },
  ].map((one) => ({ ...one, isNotified: notified.includes(one.id) }));
}

test("behavior 14.96: a monitor without an enabled channel is silent, also one that is depended on indirectly", () => {
  expect(silentParents(["r"], monitors("s"))).toEqual(["Router", "Power"]);
  expect(silentParents(["r"], monitors("r"))).toEqual(["Power"]);
  expect(silentParents(["r"], monitors("r", "p"))).toEqual([]);
  expect(silentParents([], [])).toEqual([]);
  // Two parents have an ancestor in common.
  expect(silentParents(["r", "p"], [...monitors(), ...monitors()])).toEqual(["Router", "Power"]);
});
