import { describe, expect, test } from "bun:test";
import type { ReviewedMonitor } from "../../../../src/domain/alerts/review/pair.ts";
import { planReminder, reminderOf } from "../../../../src/domain/alerts/review/reminder.ts";
import {
  acknowledged,
  ancestor,
  cause,
  change,
  FAILED_AT,
  knowsDown,
  knowsUp,
  monitor,
  pairOf,
  SECOND,
} from "../../../support/alerts/reviewed.ts";

const now = FAILED_AT + 300 * SECOND;
const next = now + 300 * SECOND;
const pair = { ...pairOf([], { timing: { after: 0, every: 300 }, told: knowsDown }), isUnready: false };

describe("behavior 14.24: a reminder", () => {
  test("is sent while the trouble lasts", () => {
    expect(planReminder(pair, monitor, now)).toEqual({ isDue: true, remindAt: next });
  });

  const ended: [string, Partial<ReviewedMonitor>][] = [
    ["the outage has ended", { outage: null, status: "up" }],
    ["the outage is acknowledged", { outage: acknowledged }],
    ["the monitor is paused", { enabled: false }],
  ];
  test.each(ended)("is not planned again after %s", (_, values) => {
    expect(planReminder(pair, { ...monitor, ...values }, now)).toEqual({ isDue: false, remindAt: null });
  });

  test("is not planned again without `every`", () => {
    const once = { ...pair, timing: { after: 0, every: 0 } };
    expect(planReminder(once, monitor, now)).toEqual({ isDue: false, remindAt: null });
  });

  const calm: [string, Partial<ReviewedMonitor>][] = [
    ["in a window", { windowEndsAt: next }],
    ["while one that it depends on is down", { ancestors: [ancestor(), ancestor({ cause })] }],
    ["while the status is unknown", { status: "unknown" }],
    ["for trouble that the channel knows nothing about", { troubleSince: FAILED_AT + 1 }],
  ];
  test.each(calm)("is left out %s", (_, values) => {
    expect(planReminder(pair, { ...monitor, ...values }, now)).toEqual({ isDue: false, remindAt: next });
  });

  test("is left out while another notification waits, and for a group that the channel does not list", () => {
    const left = { isDue: false, remindAt: next };
    expect(planReminder({ ...pair, isUnready: true }, monitor, now)).toEqual(left);
    expect(planReminder({ ...pair, notifyOn: ["warning"] }, monitor, now)).toEqual(left);
    expect(planReminder({ ...pair, told: knowsUp }, monitor, now)).toEqual(left);
    expect(planReminder({ ...pair, told: null }, monitor, now)).toEqual(left);
  });

  test("repeats the newest notification, without an acknowledgement that was taken back", () => {
    const event = { ...change("up", "down"), acknowledged: { at: 1, by: "Ann", note: null } };
    expect(reminderOf(event)).toEqual({ ...change("up", "down"), reminder: true });
  });
});
