import { expect, test } from "bun:test";
import { findMonitors } from "../../../src/dashboard/web/form/monitor-picker.tsx";

const monitors = ["Web 10", "Web 2", "Mail", "web 1"].map((name) => ({ id: name, name }));

test("a search finds monitors by a part of their names, without those that are chosen", () => {
  expect(findMonitors(monitors, " WEB ", ["Web 2"]).map(({ id }) => id)).toEqual(["web 1", "Web 10"]);
  expect(findMonitors(monitors, "x", [])).toEqual([]);
  expect(findMonitors(monitors, " ", [])).toEqual([]);
});

test("a search finds at most eight monitors", () => {
  const many = Array.from({ length: 20 }, (_, at) => ({ id: String(at), name: `a ${at}` }));
  expect(findMonitors(many, "a", [])).toHaveLength(8);
});
