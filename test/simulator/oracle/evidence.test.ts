import { expect, test } from "bun:test";
import { judgeEvidence } from "../../../scripts/simulator/oracle/evidence.ts";
import { ownFaults } from "../../../scripts/simulator/oracle/own-faults.ts";
import { after, truthfulLedger } from "./truthful-ledger.ts";

/** The violations if `web`, which is down from 1:00 to 2:00 h, has evidence of the check that ends first after some hours. */
function broken(hours: number, change: { status?: "down" | "degraded"; isInconclusive?: true } = {}) {
  const stall = { kind: "stall", from: after(3), to: after(4) } as const;
  const ledger = truthfulLedger({ hours: 6, down: [1, 2], faults: [stall] });
  const check = ledger.checks.find((one) => one.monitor === "web" && one.endedAt >= after(hours));
  if (!check) throw new Error("no check");
  if (change.isInconclusive) check.observation = { outcome: "inconclusive", message: "no DNS server" };
  const { status = "down" } = change;
  const evidence = { monitor: "web", place: null, status, layer: "port", summary: "It refuses" };
  ledger.evidence = [{ ...evidence, atWall: check.endedAt }];
  return judgeEvidence(ledger, ownFaults(ledger)).map(({ rule }) => rule);
}

const RULE = "own faults are no evidence";

test("behavior 22.1: evidence of a target that was down is explained, and any other one is an own fault", () => {
  expect(broken(1.5)).toEqual([]);
  expect(broken(0.5)).toEqual([RULE]);
  expect(broken(1.5, { isInconclusive: true })).toEqual([RULE]);
  expect(broken(3.5, { status: "degraded" })).toEqual([RULE]);
  expect(broken(5, { status: "degraded" })).toEqual([]);
});
