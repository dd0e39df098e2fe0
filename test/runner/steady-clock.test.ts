import { expect, test } from "bun:test";
import { createSteadyClock } from "../../src/runner/loop.ts";
import { createTestClock } from "../support/clock.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const NOW = Date.UTC(2027, 5, 1);

function start(knownAt: number | null) {
  const clock = createTestClock(NOW);
  return { clock, steady: createSteadyClock(clock, knownAt) };
}

test("a clock is steady at a first start, and after a stop of less than a day", () => {
  expect(start(null).steady.isSteady()).toBeTrue();
  expect(start(NOW - 20 * HOUR).steady.isSteady()).toBeTrue();
});

test("a clock that starts far ahead of when it was last known must be steady for an hour", async () => {
  const { clock, steady } = start(NOW - 100 * DAY);
  await clock.advance(HOUR - 1);
  expect(steady.isSteady()).toBeFalse();
  await clock.advance(1);
  expect(steady.isSteady()).toBeTrue();
});

test.each([
  ["ahead", 100 * DAY],
  ["back", -2 * HOUR],
])("a clock that jumps %s must be steady for an hour, also after it is corrected", async (_, by) => {
  const { clock, steady } = start(NOW);
  clock.jump(by);
  await clock.advance(50 * MINUTE);
  expect(steady.isSteady()).toBeFalse();
  clock.jump(-by);
  await clock.advance(59 * MINUTE);
  expect(steady.isSteady()).toBeFalse();
  await clock.advance(MINUTE);
  expect(steady.isSteady()).toBeTrue();
});

test("a clock that jumps by less than a minute stays steady", () => {
  const { clock, steady } = start(NOW);
  clock.jump(50_000);
  expect(steady.isSteady()).toBeTrue();
});
