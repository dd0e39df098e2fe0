import { expect, test } from "bun:test";
import { describeChannelOutcome } from "../../../src/dashboard/web/results/result-row.tsx";

test.each([
  [{ status: "delivered", attempts: 1, error: null }, "delivered (1×)"],
  [{ status: "failed", attempts: 9, error: "HTTP 500" }, "failed (9×) – HTTP 500"],
  [{ status: "pending", attempts: 0, error: null }, "not sent yet"],
  [{ status: "pending", attempts: 2, error: "HTTP 500" }, "not delivered yet (2×) – HTTP 500"],
  [
    { status: "withdrawn", attempts: 0, error: null },
    "not sent, because the trouble was over, acknowledged or different before that",
  ],
] as const)("behavior 14.97: the outcome %p of a channel is described as %s", (outcome, words) => {
  expect(describeChannelOutcome(outcome)).toBe(words);
});

test("behavior 14.97: a muted notification names its cause, if that monitor still exists", () => {
  const outcome = { status: "muted", attempts: 0, error: null } as const;
  expect(describeChannelOutcome(outcome, "Router")).toBe("not sent, because Router is down");
  expect(describeChannelOutcome(outcome)).toBe(
    "not sent, because a monitor that this one depends on is down",
  );
});
