import { describe, expect, test } from "bun:test";
import { type ChannelOutcome, nextAttemptAt, summarizeOutcome } from "../../../src/domain/alerts/delivery.ts";

const NOW = 1_800_000_000_000;
const failed = { outcome: "failed", error: "the receiver answered 500", final: false } as const;

describe("behavior 5.13, 5.15: nextAttemptAt", () => {
  test("waits 5 s, 30 s, 2 min, 10 min and 30 min, and then gives up", () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attempts) => nextAttemptAt(failed, attempts, NOW));
    expect(waits.map((at) => at && (at - NOW) / 1000)).toEqual([5, 30, 120, 600, 1800, null]);
  });

  test("gives up immediately after a final failure", () => {
    expect(nextAttemptAt({ ...failed, final: true }, 1, NOW)).toBeNull();
  });

  test.each([
    [60, 60],
    [1, 5],
    [7200, 3600],
  ])("follows a Retry-After of %d s with a delay of %d s", (asked, given) => {
    expect(nextAttemptAt({ ...failed, retryAfterMs: asked * 1000 }, 1, NOW)).toBe(NOW + given * 1000);
  });
});

test.each([
  [["pending", "delivered"], "pending"],
  [["delivered", "delivered"], "delivered"],
  [["failed", "failed"], "failed"],
  [["failed", "delivered"], "partial"],
  [["muted", "delivered"], "delivered"],
  [["withdrawn", "failed", "muted"], "failed"],
  [["muted", "withdrawn"], "muted"],
  [["withdrawn", "withdrawn"], "withdrawn"],
] as const)("behavior 5.25, 14.29: the outcome of %p is %s", (statuses, overall) => {
  const channels = statuses.map((status) => ({ status }) as ChannelOutcome);
  expect(summarizeOutcome(channels).status).toBe(overall);
});
