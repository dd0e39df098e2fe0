import { expect, test } from "bun:test";
import { createCatchUp } from "../../../src/runner/checks/catch-up.ts";

const NOW = Date.parse("2027-01-01T00:00:00Z");

test("one overdue check starts at once", () => {
  expect(createCatchUp()(NOW, { overdue: 1, left: false })(0)).toBe(NOW);
});

test("thousands of overdue checks start evenly within 8 s", () => {
  const startOf = createCatchUp()(NOW, { overdue: 20_000, left: false });
  expect([0, 1, 10_000, 20_000].map(startOf)).toEqual([NOW, NOW + 0.4, NOW + 4000, NOW + 8000]);
});

test("those for which there is no room yet have what is left of the 8 s", () => {
  const pace = createCatchUp();
  pace(NOW, { overdue: 10_000, left: true });
  const startOf = pace(NOW + 6000, { overdue: 10_000, left: false });
  expect(startOf(10_000)).toBe(NOW + 8000);
  expect(pace(NOW + 7000, { overdue: 20_000, left: false })(20_000)).toBe(NOW + 15_000);
});

test("a clock that is put back makes no check wait for longer", () => {
  const pace = createCatchUp();
  pace(NOW, { overdue: 10_000, left: true });
  expect(pace(NOW - 3_600_000, { overdue: 10_000, left: true })(10_000)).toBe(NOW - 3_600_000 + 8000);
});
