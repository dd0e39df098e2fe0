import { expect, test } from "bun:test";
import {
  judgeComputed,
  judgeTried,
  judgeUnchanged,
} from "../../../scripts/simulator/oracle/replay/judge-replay.ts";
import type { Happened } from "../../../scripts/simulator/oracle/replay/recorded.ts";
import type { ReplayOutcome } from "../../../src/domain/replay/outcome.ts";

const range = { from: 0, to: 100_000 };

const recorded: Happened = {
  outages: [
    { monitor: "shop", startedAt: 10_000, endedAt: 40_000, status: "down" },
    { monitor: "shop", startedAt: 90_000, endedAt: null, status: "down" },
  ],
  notifications: [
    { monitor: "shop", channel: "chat", at: 10_000, by: 10_500, status: "down", isReminder: false },
    { monitor: "shop", channel: "chat", at: 40_000, by: 40_500, status: "up", isReminder: false },
  ],
};

const counts = { outages: 2, notifications: 2, downSeconds: 40 };

const outcome: ReplayOutcome = {
  ...range,
  monitorCount: 1,
  present: counts,
  changed: counts,
  later: { medianSeconds: 0, maxSeconds: 0 },
  missed: [],
  gone: [],
  exact: true,
};

test("a replay without changes that is what was recorded is right", () => {
  expect(judgeUnchanged(outcome, recorded, range)).toEqual([]);
});

test.each<[string, Partial<ReplayOutcome>]>([
  ["other outages", { present: { ...counts, outages: 3 } }],
  ["other notifications", { changed: { ...counts, notifications: 1 } }],
  ["another time in trouble", { present: { ...counts, downSeconds: 50 } }],
  ["bounds", { changed: { ...counts, outages: { min: 1, max: 3 } } }],
  ["notifications that come later", { later: { medianSeconds: 0, maxSeconds: 5 } }],
  [
    "an outage that would not have been",
    { gone: [{ monitorId: "1", startedAt: 1, endedAt: 2, status: "down" }] },
  ],
  ["a doubt", { exact: false }],
])("a replay without changes that has %s is wrong", (_, lie) => {
  expect(judgeUnchanged({ ...outcome, ...lie }, recorded, range).length).toBe(1);
});

test("a computed replay is compared outage by outage and channel by channel", () => {
  expect(judgeComputed(recorded, recorded)).toEqual([]);
  const [first, second] = recorded.notifications;
  const [outage] = recorded.outages;
  if (!first || !second || !outage) throw new Error("nothing is recorded");
  const found = judgeComputed(
    { outages: [outage, outage], notifications: [first, { ...second, channel: "mail" }] },
    recorded,
  );
  expect(found.map(({ monitor, channel, at, text }) => [monitor, channel, at, text])).toEqual([
    ["shop", undefined, 10_000, "only computed: down until 1970-01-01T00:00:40.000Z"],
    ["shop", "chat", 40_000, "only recorded: up"],
    ["shop", "mail", 40_000, "only computed: up"],
    ["shop", undefined, 90_000, "only recorded: down until the end"],
  ]);
});

test("the truth of another run must lie within the bounds of each figure", () => {
  const changed = { outages: { min: 1, max: 2 }, notifications: 2, downSeconds: { min: 20.5, max: 39.5 } };
  const { figures, violations } = judgeTried({ ...outcome, changed, exact: false }, recorded, {
    range,
    about: "after",
  });
  expect(figures.map(({ isSingle, isWithin }) => [isSingle, isWithin])).toEqual([
    [false, true],
    [true, true],
    [false, true],
  ]);
  expect(violations).toEqual([]);
  const wrong = { ...changed, notifications: { min: 3, max: 5 } };
  expect(
    judgeTried({ ...outcome, changed: wrong }, recorded, { range, about: "after" }).violations.map(
      ({ text }) => text,
    ),
  ).toEqual(["after: notifications were 2, the replay says 3 to 5"]);
});
