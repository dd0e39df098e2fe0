import { expect, test } from "bun:test";
import { createSteadyClock, type SteadyClock } from "../../src/runner/steady-clock.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const NOW = Date.UTC(2027, 5, 1);

/** Looks each 5 seconds for some time. @param ahead how far the wall clock is ahead @returns the last answer */
function look(
  clock: SteadyClock,
  { from, until, ahead }: { from: number; until: number; ahead: number },
): boolean {
  let answer = false;
  for (let at = from; at <= until; at += 5 * SECOND) answer = clock.isSteady(NOW + at + ahead, at);
  return answer;
}

test("a clock is steady at a first start, and after a stop of less than a day", () => {
  expect(createSteadyClock(null).isSteady(NOW, 0)).toBeTrue();
  expect(createSteadyClock(NOW - 20 * HOUR).isSteady(NOW, 0)).toBeTrue();
});

test("a clock that starts far ahead of when it was last known must be steady for an hour", () => {
  const clock = createSteadyClock(NOW - 100 * DAY);
  expect(look(clock, { from: 0, until: HOUR - 5 * SECOND, ahead: 0 })).toBeFalse();
  expect(look(clock, { from: HOUR, until: HOUR, ahead: 0 })).toBeTrue();
});

test.each([
  ["ahead", 100 * DAY],
  ["back", -2 * HOUR],
])("a clock that jumps %s must be steady for an hour, also after it is put right", (_, ahead) => {
  const clock = createSteadyClock(NOW);
  expect(look(clock, { from: 0, until: MINUTE, ahead: 0 })).toBeTrue();
  expect(look(clock, { from: MINUTE + 1, until: 50 * MINUTE, ahead })).toBeFalse();
  expect(look(clock, { from: 50 * MINUTE, until: 109 * MINUTE, ahead: 0 })).toBeFalse();
  expect(look(clock, { from: 109 * MINUTE, until: 111 * MINUTE, ahead: 0 })).toBeTrue();
});

test("a clock that is put right little by little stays steady", () => {
  const clock = createSteadyClock(NOW);
  for (let at = 0; at <= DAY; at += 5 * SECOND) expect(clock.isSteady(NOW + at * 1.001, at)).toBeTrue();
});
