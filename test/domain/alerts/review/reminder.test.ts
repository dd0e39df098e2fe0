import { describe, expect, test } from "bun:test";
import type { ReviewedMonitor } from "../../../../src/domain/alerts/review/pair.ts";
import {
  type DueReminder,
  planReminder,
  reminderOf,
} from "../../../../src/domain/alerts/review/plan-pair.ts";
import {
  acknowledged,
  ancestor,
  cause,
  change,
  checkedAt,
  monitor as down,
  FAILED_AT,
  knowsDown,
  knowsUp,
  pairOf,
  SECOND,
} from "../../../support/alerts/reviewed.ts";

const now = FAILED_AT + 300 * SECOND;
const next = now + 300 * SECOND;
const { notifyOn } = pairOf([]);
const timing = { after: 0, every: 300, hours: null };
const pair: DueReminder = {
  timing,
  notifyOn,
  last: knowsDown,
  newestAt: FAILED_AT,
  isUnready: false,
  waitsUntil: null,
};
const checked = (latestAt: number, isSuspected = false) => ({
  check: checkedAt(latestAt, { isSuspected }),
});
/** Its latest check is recent. */
const monitor = { ...down, ...checked(now) };
const never = { isDue: false, remindAt: null, waitsUntil: null, asksItself: false };
const left = { ...never, remindAt: next };
const sent = { ...left, isDue: true };

describe("behavior 14.24: a reminder", () => {
  test("is sent while the trouble lasts", () => {
    expect(planReminder(pair, monitor, now)).toEqual(sent);
  });

  const ended: [string, Partial<ReviewedMonitor>][] = [
    ["the outage has ended", { outage: null, status: "up" }],
    ["the outage is acknowledged", { outage: acknowledged }],
    ["the monitor is paused", { enabled: false }],
  ];
  test.each(ended)("is not planned again after %s", (_, values) => {
    expect(planReminder(pair, { ...monitor, ...values }, now)).toEqual(never);
  });

  test("behavior 23.38: comes `every` after what another binding sent to the channel", () => {
    const newestAt = now - 299 * SECOND;
    expect(planReminder({ ...pair, newestAt }, monitor, now)).toEqual({ ...never, remindAt: now + SECOND });
    expect(planReminder({ ...pair, newestAt: now - 300 * SECOND }, monitor, now)).toEqual(sent);
    // The clock was set back.
    expect(planReminder({ ...pair, newestAt: now + 1 }, monitor, now)).toEqual(sent);
  });

  test("is not planned again without `every`", () => {
    const once = { ...pair, timing: { after: 0, every: 0, hours: null } };
    expect(planReminder(once, monitor, now)).toEqual(never);
  });

  const calm: [string, Partial<ReviewedMonitor>][] = [
    ["in a window", { windowEndsAt: next }],
    ["while one that it depends on is down", { ancestors: [ancestor(), ancestor({ cause })] }],
    ["while the status is unknown", { status: "unknown" }],
    ["for trouble that the channel knows nothing about", { troubleSince: FAILED_AT + 1 }],
  ];
  test.each(calm)("is left out %s", (_, values) => {
    expect(planReminder(pair, { ...monitor, ...values }, now)).toEqual(left);
  });

  test("is left out while another notification waits, and for a group that the channel does not list", () => {
    expect(planReminder({ ...pair, isUnready: true }, monitor, now)).toEqual(left);
    expect(planReminder({ ...pair, notifyOn: ["warning"] }, monitor, now)).toEqual(left);
    expect(planReminder({ ...pair, last: knowsUp }, monitor, now)).toEqual(left);
    expect(planReminder({ ...pair, last: null }, monitor, now)).toEqual(left);
  });

  describe("behavior 14.24: whose latest check is older than 5 s", () => {
    const old = { ...down, ...checked(now - 6 * SECOND) };
    const waiting = { ...never, remindAt: now + SECOND, waitsUntil: now + 15 * SECOND };

    test("waits for a check", () => {
      expect(planReminder(pair, old, now)).toEqual({ ...waiting, asksItself: true });
      const asked = { ...pair, waitsUntil: now + 14 * SECOND };
      expect(planReminder(asked, old, now)).toEqual({ ...waiting, waitsUntil: now + 14 * SECOND });
      expect(planReminder(asked, monitor, now)).toEqual(sent);
    });

    test("is sent when all locations have answered, although the first answer is older than 5 s by then", () => {
      const asked = { ...pair, waitsUntil: now + 8 * SECOND };
      const answered = { ...down, ...checked(now - 6 * SECOND) };
      expect(planReminder(asked, answered, now)).toEqual(sent);
    });

    test("behavior 14.9: goes on waiting, and asks again, while a fault of stillup keeps checks from a result", () => {
      const blind = { ...down, ...checked(now - 16 * SECOND) };
      const asked = { ...pair, waitsUntil: now };
      const again = now + 15 * SECOND;
      expect(planReminder(asked, blind, now)).toEqual({
        ...never,
        ...{ remindAt: again, waitsUntil: again, asksItself: true },
      });
    });

    test("behavior 14.9: goes on waiting for the confirmation of a good result that came late", () => {
      const suspected = { ...down, ...checked(now - SECOND, true) };
      const again = now + 15 * SECOND;
      expect(planReminder({ ...pair, waitsUntil: now }, suspected, now)).toEqual({
        ...never,
        ...{ remindAt: again, waitsUntil: again },
      });
    });

    test("waits again if no server ran meanwhile, and if the clock was set back", () => {
      for (const waitsUntil of [now - 6 * SECOND, now + 3600 * SECOND])
        expect(planReminder({ ...pair, waitsUntil }, old, now)).toEqual({ ...waiting, asksItself: true });
    });

    test("is sent at once if nothing can check the monitor", () => {
      expect(planReminder(pair, { ...down, check: null }, now)).toEqual(sent);
    });
  });

  test("behavior 14.24: waits while the latest check saw something better", () => {
    const better = { ...down, ...checked(now, true) };
    expect(planReminder(pair, better, now)).toMatchObject({ isDue: false, waitsUntil: now + 15 * SECOND });
  });

  test("repeats the newest notification, without an acknowledgement that was taken back", () => {
    const event = { ...change("up", "down"), acknowledged: { at: 1, by: "Ann", note: null } };
    expect(reminderOf(event)).toEqual({ ...change("up", "down"), reminder: true });
  });
});
