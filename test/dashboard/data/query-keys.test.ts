import { expect, test } from "bun:test";
import { changedByMonitor, changedByResult, queryKeys } from "../../../src/dashboard/web/data/query-keys.ts";

test.each([
  [queryKeys.monitor("a"), queryKeys.allMonitors],
  [queryKeys.offeredMonitors, queryKeys.allMonitors],
  [queryKeys.outages({}), queryKeys.allOutages],
  [queryKeys.outage("a"), queryKeys.allOutages],
  [queryKeys.outageReport("a"), queryKeys.allOutages],
  [queryKeys.timeline("a"), queryKeys.allOutages],
  [queryKeys.report("a", { range: "1d" }), queryKeys.allReports],
  [queryKeys.results("a", {}), queryKeys.allResults],
  [queryKeys.recentResults("a"), queryKeys.allResults],
  [queryKeys.events({}), queryKeys.allEvents],
  [queryKeys.deliveries("a"), queryKeys.allDeliveries],
  [queryKeys.histories("1d"), queryKeys.allHistories],
  [queryKeys.relatedMonitors("a", "dependents"), queryKeys.allMonitors],
  [queryKeys.monitorStates(["a"]), queryKeys.overview],
])("the key %j is invalidated with %j", (key, all) => {
  expect([...key].slice(0, all.length)).toEqual([...all]);
});

test("a change of a monitor also changes all that a result changes", () => {
  expect(changedByMonitor).toEqual(expect.arrayContaining([...changedByResult, queryKeys.allMonitors]));
});
