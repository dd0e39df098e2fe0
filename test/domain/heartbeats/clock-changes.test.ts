import { expect, test } from "bun:test";
import { clockChanges } from "../../../src/domain/heartbeats/weekly-pause.ts";
import { localTimeIn } from "../../../src/domain/local-time.ts";
import { at, DAY, HOUR, MINUTE, Walk } from "./walk.ts";

test("the changes of clocks are those of all time zones", () => {
  const april = clockChanges(at("2026-04-04T15:00:00Z") - 1, at("2026-04-05T03:00:00Z"));
  expect(april).toContainEqual({ at: at("2026-04-04T15:00:00Z"), by: HOUR / 2 });
  expect(april).toContainEqual({ at: at("2026-04-04T16:00:00Z"), by: HOUR });
  expect(april).toContainEqual({ at: at("2026-04-05T03:00:00Z"), by: HOUR });
  expect(clockChanges(at("2026-03-29T00:59:59Z"), at("2026-03-29T01:00:00Z"))).toEqual([
    { at: at("2026-03-29T01:00:00Z"), by: -2 * HOUR },
    { at: at("2026-03-29T01:00:00Z"), by: -HOUR },
  ]);
  expect(clockChanges(at("2026-06-01T00:00:00Z"), at("2026-08-01T00:00:00Z"))).toEqual([]);
});

test("the changes of clocks over a turn of the year are in order, and those of a zone are among them", () => {
  const [from, to] = [at("2026-06-01T00:00:00Z"), at("2027-06-01T00:00:00Z")];
  const changes = clockChanges(from, to);
  expect(changes.map((change) => change.at)).toEqual(changes.map((change) => change.at).sort());
  for (const zone of ["Africa/Casablanca", "America/Santiago", "Africa/Cairo", "Pacific/Auckland"]) {
    const { shownAt } = localTimeIn(zone);
    for (let time = from; time < to; time += HOUR) {
      const by = shownAt(time - 1) + 1 - shownAt(time);
      if (by !== 0) expect(changes).toContainEqual({ at: time, by });
    }
  }
});

/** A job that checked in at this time of each day before a change of clocks. */
function daily(last: string, config = {}): Walk {
  return new Walk(config, at(last) - 25 * DAY).checkin().every(DAY, 25);
}

test.each([
  ["of an hour in Berlin, and two at Troll", "2026-10-24T06:00:00Z", {}, 26 * HOUR + 15 * MINUTE],
  [
    "of half an hour at Lord Howe, and an hour in Sydney",
    "2026-04-04T06:00:00Z",
    {},
    25 * HOUR + 15 * MINUTE,
  ],
  ["of an hour in Casablanca", "2026-02-14T06:00:00Z", { grace: 60 }, 25 * HOUR + MINUTE],
  ["of an hour in Casablanca", "2026-02-14T06:00:00Z", { grace: 0 }, 25 * HOUR],
  ["of an hour in Casablanca", "2026-02-14T06:00:00Z", { grace: 7200 }, 26 * HOUR],
  ["that was before", "2026-02-15T06:00:00Z", { grace: 60 }, DAY + MINUTE],
])(
  "behavior 3.29: a setback %s after %s leaves a job with %p its grace, at most 15 minutes",
  (_, last, config, left) => {
    expect(daily(last, config).left).toBe(left);
  },
);

test("behavior 3.29: a job that runs more often than each half hour has no longer window", () => {
  const walk = new Walk({}, at("2026-10-25T00:00:00Z")).checkin().every(10 * MINUTE, 5);
  expect(walk.left).toBe(12 * MINUTE);
});

test("behavior 3.29: a weekday job with a short grace is not late a week after the clocks were set forward", () => {
  const walk = new Walk({ grace: 600 }, at("2026-02-16T08:00:00Z"));
  for (let day = 0; day < 60; day++) {
    const time = at("2026-02-16T08:00:00Z") + day * DAY;
    if (day % 7 < 5) walk.checkin(time >= at("2026-03-29T01:00:00Z") ? time - HOUR : time);
  }
  expect(walk.misses.filter((miss) => miss > at("2026-02-23T00:00:00Z"))).toEqual([]);
});
