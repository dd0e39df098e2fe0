import { expect, test } from "bun:test";
import { judgeBlindness } from "../../../scripts/simulator/oracle/blind.ts";
import { after, truthfulLedger } from "./truthful-ledger.ts";

const BLIND = "a monitor that nothing can check is blind";

/** The last check of `web`, whose interval is 5 minutes, ended so long before the end. */
function broken(unseenMinutes: number, blindSince: number | null): string[] {
  const ledger = truthfulLedger({ hours: 2 });
  const last = ledger.scenario.to - unseenMinutes * 60_000;
  const checks = ledger.checks.filter(({ endedAt }) => endedAt <= last);
  return judgeBlindness({ ...ledger, checks, blindSince: new Map([["web", blindSince]]) }).map(
    ({ rule }) => rule,
  );
}

test("a monitor is blind after two intervals and twice its timeout without a conclusive check, and not before", () => {
  expect(broken(0, null)).toEqual([]);
  expect(broken(20, null)).toEqual([BLIND]);
  expect(broken(20, after(1))).toEqual([]);
  expect(broken(0, after(1))).toEqual(["only a monitor that nothing checks is blind"]);
});
