import { expect, test } from "bun:test";
import { createCatchUp } from "../../../src/runner/checks/catch-up.ts";

test("one overdue check starts immediately", () => {
  expect(createCatchUp()(0, { overdue: 1, moreWaiting: false })(0)).toBe(0);
});

test("behavior 1.12: thousands of overdue checks start evenly within 8 s", () => {
  const delayOf = createCatchUp()(0, { overdue: 20_000, moreWaiting: false });
  expect([0, 1, 10_000, 20_000].map(delayOf)).toEqual([0, 0.4, 4000, 8000]);
});

test("checks that did not fit at first start within what is left of the 8 s", () => {
  const catchUp = createCatchUp();
  catchUp(0, { overdue: 10_000, moreWaiting: true });
  expect(catchUp(6000, { overdue: 10_000, moreWaiting: false })(10_000)).toBe(2000);
  expect(catchUp(7000, { overdue: 20_000, moreWaiting: false })(20_000)).toBe(8000);
});
