import { expect, test } from "bun:test";
import { silentParents } from "../../../../src/dashboard/web/monitors/dependencies/graph.ts";

const monitors = [
  { id: "r", name: "Router", dependsOn: ["p"] },
  { id: "p", name: "Power", dependsOn: [] },
  { id: "s", name: "Shop", dependsOn: ["r"] },
];
const bound = (monitorId: string, enabled = true) => ({ enabled, bindings: [{ monitorId }] });

test("behavior 14.96: a monitor without an enabled channel is silent, also one that is depended on indirectly", () => {
  expect(silentParents(["r"], monitors, [bound("s")])).toEqual(["Router", "Power"]);
  expect(silentParents(["r"], monitors, [bound("r"), bound("p", false)])).toEqual(["Power"]);
  expect(silentParents(["r"], monitors, [bound("r"), bound("p")])).toEqual([]);
  expect(silentParents([], monitors, [])).toEqual([]);
});
