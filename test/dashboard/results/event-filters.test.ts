import { expect, test } from "bun:test";
import { eventFilters } from "../../../src/dashboard/web/results/events.tsx";

test.each([
  ["", { changes: "true" }],
  ["show=all", {}],
  ["show=changes", { changes: "true" }],
  ["show=all&type=TCP&status=down&tag=web", { type: "TCP", status: "down", tag: "web" }],
  ["type=UDP&status=unknown&tag=", { changes: "true" }],
] as const)("behavior 14.92: the address ?%s filters events by %j", (address, expected) => {
  expect(eventFilters(new URLSearchParams(address))).toEqual(expected);
});
