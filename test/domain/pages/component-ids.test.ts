import { expect, test } from "bun:test";
import { withStoredIds } from "../../../src/domain/pages/page-request.ts";

const stored = [
  { id: "1", monitorId: "a", name: null, group: null },
  { id: "2", monitorId: "a", name: "A", group: "g" },
  { id: "3", monitorId: "b", name: null, group: null },
];

test.each<[string, Parameters<typeof withStoredIds>[0], (string | undefined)[]]>([
  ["of the same monitor, whatever their order", [{ monitorId: "b" }, { monitorId: "a" }], ["3", "1"]],
  [
    "of the same name and group first",
    [
      { monitorId: "a", name: "New" },
      { monitorId: "a", name: "A", group: "g" },
    ],
    ["1", "2"],
  ],
  ["that no other component names", [{ monitorId: "a" }, { id: "1", monitorId: "a" }], ["2", "1"]],
  ["each once", [{ monitorId: "b" }, { monitorId: "b" }], ["3", undefined]],
  ["and none of another monitor", [{ monitorId: "c" }], [undefined]],
])("behavior 16.7: components without an ID get the stored one %s", (_, requested, ids) => {
  const named = withStoredIds(requested, stored);
  expect(named.map(({ id }) => id)).toEqual(ids as string[]);
  expect(named.map(({ id: _id, ...rest }) => rest)).toEqual(requested.map(({ id: _id, ...rest }) => rest));
});
