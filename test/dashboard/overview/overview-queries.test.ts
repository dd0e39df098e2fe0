import { expect, test } from "bun:test";
import type { MonitorSummary } from "../../../src/dashboard/web/data/api.ts";
import { createHistoryJoin } from "../../../src/dashboard/web/overview/overview-queries.ts";
import { firstQuery } from "../../../src/domain/overview/overview-query.ts";

const summary = (id: string): MonitorSummary => ({
  id,
  name: id,
  type: "SCHEDULED",
  config: { interval: 300 },
  status: "ok",
  enabled: true,
  since: null,
  blindSince: null,
  latest: null,
  tags: [],
  dependsOn: [],
  maintenance: null,
  acknowledgement: null,
  detail: null,
  seenDown: null,
});

test("a monitor that has not changed keeps its identity, with its history", () => {
  const joinHistories = createHistoryJoin();
  const [a, b] = [summary("a"), summary("b")];
  const histories = { buckets: [], monitors: [{ id: "a", uptime: "99.00%", history: "01" }] };
  const [first, second] = joinHistories([a, b], histories) ?? [];
  expect(first).toMatchObject({ name: "a", uptime: "99.00%", history: "01" });
  expect(second).toMatchObject({ name: "b" });
  const changed = { ...b, status: "failed" } as const;
  const after = joinHistories([a, changed], histories) ?? [];
  expect(after[0]).toBe(first as MonitorSummary);
  expect(after[1]).toMatchObject({ status: "failed" });
});

test.each([
  ["", { range: "90d", first: "12" }],
  ["range=7d", { range: "7d", first: "12" }],
  ["range=2d", { range: "90d", first: "12" }],
  ["range=7d&search=a", { range: "7d", upTo: "1000" }],
  ["sort=name", { range: "90d", upTo: "1000" }],
] as const)(
  "the page at ?%s first fetches a part if the address has no filter and no order, and never more than 1,000 monitors",
  (search, expected) => {
    expect(firstQuery(new URLSearchParams(search))).toEqual(expected);
  },
);
