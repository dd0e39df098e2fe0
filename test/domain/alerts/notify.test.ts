import { describe, expect, test } from "bun:test";
import { EVERY_GROUP, NotifyOn, shouldNotify, sortedNotifyOn } from "../../../src/domain/alerts/notify.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { parse } from "../../../src/domain/schemas/validation.ts";

describe("behavior 5.7, 5.9: whether a channel is notified", () => {
  test.each<[NotifyOn, Status, Status, Status | undefined, boolean]>([
    [EVERY_GROUP, "up", "down", undefined, true],
    [EVERY_GROUP, "degraded", "up", undefined, true],
    [["down"], "up", "down", undefined, true],
    [["down"], "up", "degraded", undefined, false],
    [["down"], "down", "up", "down", false],
    [["warning"], "ok", "havent_heard", undefined, true],
    [["warning"], "up", "down", undefined, false],
    [["down", "healthy"], "down", "up", "down", true],
    // It was not notified of the trouble that ends here.
    [["down", "healthy"], "degraded", "up", undefined, false],
    [["down", "healthy"], "degraded", "up", "up", false],
    // It was notified of the down that came before the warning.
    [["down", "healthy"], "degraded", "up", "down", true],
    [["warning", "healthy"], "down", "up", "degraded", true],
    [["warning", "healthy"], "down", "up", "up", false],
  ])("%p: %s to %s, last notified of %s: %p", (notifyOn, previousStatus, status, last, notified) => {
    expect(shouldNotify(notifyOn, { previousStatus, status }, () => last)).toBe(notified);
  });

  test("reads the last notification only if it matters", () => {
    const unasked = () => {
      throw new Error("asked");
    };
    expect(shouldNotify(EVERY_GROUP, { previousStatus: "down", status: "up" }, unasked)).toBe(true);
    expect(shouldNotify(["down"], { previousStatus: "down", status: "up" }, unasked)).toBe(false);
  });
});

test.each([
  [["healthy"], "notifyOn must be an array that lists one of down, warning at least"],
  [[], "notifyOn must be an array that lists one of down, warning at least"],
  [["down", "loud"], "notifyOn.1 must be one of down, warning, healthy"],
  ["down", "notifyOn must be an array"],
])("%j is refused", (value, sentence) => {
  expect(() => parse(NotifyOn, value, "notifyOn")).toThrow(sentence);
});

test("behavior 5.8: a list has the worst group first, each group once", () => {
  expect(sortedNotifyOn(["healthy", "down", "down"])).toEqual(["down", "healthy"]);
});
