import { expect, test } from "bun:test";
import type { Ledger } from "../../../scripts/simulator/ledger.ts";
import { demandOf, judgeDemand } from "../../../scripts/simulator/oracle/demand.ts";
import { ownFaults } from "../../../scripts/simulator/oracle/own-faults.ts";
import { after, START, truthfulLedger } from "./truthful-ledger.ts";

const FEWER = "a run makes the checks that its monitors and its time demand";

function broken(ledger: Ledger): string[] {
  return judgeDemand(ledger, ownFaults(ledger)).map(({ rule }) => rule);
}

test("a monitor demands a check for each of its intervals, and a job each of its check-ins", () => {
  const ledger = truthfulLedger({ hours: 24 });
  const { checks, checkins } = demandOf(ledger, ownFaults(ledger));
  expect(checks).toBe(24 * 12 - 1);
  expect(checkins).toBe(24);
  expect(broken(ledger)).toEqual([]);
});

test("a run with fewer checks or check-ins than its monitors and its time demand breaks a rule", () => {
  const ledger = truthfulLedger({ hours: 24 });
  expect(broken({ ...ledger, checks: ledger.checks.slice(0, 200) })).toEqual([FEWER]);
  expect(broken({ ...ledger, checks: [] })).toEqual([FEWER]);
  expect(broken({ ...ledger, checkins: ledger.checkins.slice(0, 20) })).toEqual([FEWER]);
});

test("while no process runs, neither checks nor check-ins are demanded", () => {
  const ledger = truthfulLedger({ hours: 24 });
  const lives: Ledger["lives"] = [
    { node: 0, from: START, to: after(6), end: "kill" },
    { node: 0, from: after(18), to: ledger.scenario.to, end: "end" },
  ];
  const awake = ({ at }: { at: number }) => at < after(6) || at > after(18);
  const checks = ledger.checks.filter(({ startedAt }) => awake({ at: startedAt }));
  const checkins = ledger.checkins.filter(awake);
  expect(broken({ ...ledger, lives, checks, checkins })).toEqual([]);
});

test("a run that demands nothing breaks a rule", () => {
  const ledger = truthfulLedger({ hours: 1 });
  const scenario = { ...ledger.scenario, monitors: [] };
  expect(broken({ ...ledger, scenario })).toEqual(["a run proves something"]);
});
