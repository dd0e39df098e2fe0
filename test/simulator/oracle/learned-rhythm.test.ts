import { expect, test } from "bun:test";
import { exactly } from "../../../scripts/simulator/oracle/bounds.ts";
import { createLearner, type LearnedRhythm } from "../../../scripts/simulator/oracle/learned-rhythm.ts";

const [HOUR, DAY] = [3_600_000, 86_400_000];

/** A job of each day, after its check-in on the day before New York sets its clocks forward at 07:00 UTC. */
function daily(time: string): { last: number; rhythm: LearnedRhythm } {
  const last = Date.parse(`2027-03-13T${time}Z`);
  const learner = createLearner();
  for (let day = 20; day > 0; day--)
    learner.add({ ...exactly(DAY), start: last - day * DAY, isUncertain: false });
  return { last, rhythm: learner.rhythm(last) };
}

test("If clocks skip the local time of the next run, the window may last to the run after it", () => {
  const { last, rhythm } = daily("07:30:00");
  const untilNextButOne = 2 * DAY - HOUR + HOUR / 4;
  for (const { low, high } of [rhythm.window, rhythm.windowAfterOutage(exactly(last))]) {
    expect(untilNextButOne).toBeWithin(low, high);
    expect(high).toBeLessThan(2 * DAY + 4 * HOUR);
  }
});

test("So may that of a job that has checked in once, whose period may be a day", () => {
  const last = Date.parse("2027-03-12T07:30:00Z");
  const outageEnd = exactly(last + DAY);
  const { low, high } = createLearner().rhythm(last).windowAfterOutage(outageEnd);
  expect(2 * DAY - HOUR + HOUR / 4).toBeWithin(low, high);
});

test("A run whose local time no clock skips is expected in its window", () => {
  const { last, rhythm } = daily("20:00:00");
  for (const { high } of [rhythm.window, rhythm.windowAfterOutage(exactly(last))])
    expect(high).toBeLessThan(DAY + 4 * HOUR);
});
