import { expect, test } from "bun:test";
import { csvAddress, offeredDays } from "../../../src/dashboard/web/results/monitor-results.tsx";

const paramsOf = (address: string | null) =>
  Object.fromEntries(new URL(address ?? "", "http://localhost").searchParams);

test("behavior 14.99: an export has whole days in the reader's zone, the last one included", () => {
  const address = csvAddress("/api/v1/outages.csv", { from: "2026-10-25", to: "2026-10-25" });
  expect(address?.split("?")[0]).toBe("/api/v1/outages.csv");
  expect(paramsOf(address)).toEqual({
    from: new Date(2026, 9, 25).toISOString(),
    to: new Date(2026, 9, 26).toISOString(),
  });
});

test("behavior 14.99: the last 30 days are offered", () => {
  const now = new Date(2026, 10, 30, 15).getTime();
  expect(offeredDays(now, {})).toEqual({ from: "2026-11-01", to: "2026-11-30" });
});

test("behavior 16.205: the days of the filters are offered, and problems alone are exported", () => {
  const now = new Date(2026, 10, 30, 15).getTime();
  const [from, to] = [new Date(2026, 9, 3, 12).toISOString(), new Date(2026, 9, 5).toISOString()];
  expect(offeredDays(now, { from, to })).toEqual({ from: "2026-10-03", to: "2026-10-04" });
  expect(offeredDays(now, { to })).toEqual({ from: "2026-09-05", to: "2026-10-04" });
  const address = csvAddress("/x.csv", { from: "2026-10-25", to: "2026-10-25" }, { problems: "true" });
  expect(paramsOf(address)).toMatchObject({ problems: "true" });
});

test("behavior 14.99: without days, or with an end before the start, there is no export", () => {
  expect(csvAddress("/x.csv", { from: "", to: "2026-11-01" })).toBeNull();
  expect(csvAddress("/x.csv", { from: "2026-11-02", to: "2026-11-01" })).toBeNull();
});
