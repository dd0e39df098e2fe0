import { expect, test } from "bun:test";
import type { Standing } from "../../../src/dashboard/web/data/api.ts";
import { joined } from "../../../src/dashboard/web/overview/overview-queries.ts";
import { firstQuery } from "../../../src/domain/monitors/overview-query.ts";

const standing = (id: string): Standing => ({
  id,
  name: id,
  type: "SCHEDULED",
  config: { interval: 300 },
  status: "ok",
  enabled: true,
  since: null,
  latest: null,
  detail: null,
});

test("a monitor that has not changed stays the same, with its past", () => {
  const [a, b] = [standing("a"), standing("b")];
  const past = { buckets: [], monitors: [{ id: "a", uptime: "99.00%", history: "01" }] };
  const [first, second] = joined([a, b], past) ?? [];
  expect(first).toMatchObject({ name: "a", uptime: "99.00%", history: "01" });
  expect(second).toMatchObject({ name: "b" });
  const changed = { ...b, status: "failed" } as const;
  const after = joined([a, changed], past) ?? [];
  expect(after[0]).toBe(first as Standing);
  expect(after[1]).toMatchObject({ status: "failed" });
});

test.each([
  ["", { range: "90d", first: "12" }],
  ["range=7d", { range: "7d", first: "12" }],
  ["range=2d", { range: "90d", first: "12" }],
  ["range=7d&search=a", { range: "7d" }],
  ["sort=name", { range: "90d" }],
] as const)("the address ?%s asks first for a part only where it chooses nothing", (search, expected) => {
  expect(firstQuery(new URLSearchParams(search))).toEqual(expected);
});
