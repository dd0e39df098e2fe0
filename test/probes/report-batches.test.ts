import { expect, test } from "bun:test";
import { createReportBatches } from "../../src/probes/probe-runner.ts";
import type { CheckReport } from "../../src/probes/probe-thread.ts";
import { byAddress, type OfAddress } from "../support/checks/by-address.ts";

const ANSWERED: OfAddress = { outcome: "reached", latencyMs: 1, detail: {} };
const FAILED: OfAddress = { outcome: "failed", reason: "refused", detail: {} };
const success = (id: number): CheckReport => ({ id, observation: ANSWERED, endedAt: id });
const failure: CheckReport = { id: 99, observation: FAILED, endedAt: 99 };
const upTo = (count: number) => Array.from({ length: count }, (_, id) => success(id));

/** @property pass lets the wait of those end that are not sent yet */
function createBatches() {
  const sent: CheckReport[][] = [];
  const tasks: (() => void)[] = [];
  const take = createReportBatches(
    (reports) => void sent.push(reports),
    (_, task) => void tasks.push(task),
  );
  return { sent, take, pass: () => tasks.splice(0).forEach((task) => void task()) };
}

test("successes wait for others, and are sent together in their order", () => {
  const { sent, take, pass } = createBatches();
  take([success(1)]);
  take([success(2), ofAddresses(ANSWERED)]);
  expect(sent).toEqual([]);
  pass();
  pass();
  expect(sent).toEqual([[success(1), success(2), ofAddresses(ANSWERED)]]);
  take([success(4)]);
  pass();
  expect(sent[1]).toEqual([success(4)]);
});

const ofAddresses = (...all: OfAddress[]): CheckReport => ({
  id: 98,
  observation: byAddress(all),
  endedAt: 98,
});

test.each<[string, CheckReport]>([
  ["a failure", failure],
  ["a failure of one address", ofAddresses(ANSWERED, FAILED)],
  ["a check that can't be made", { ...failure, observation: { outcome: "inconclusive", message: "no" } }],
  ["the reply to a ping", { id: 99 }],
  ["the state of the network", { network: "offline" }],
])("%s is sent at once, after the successes that wait", (_, urgent) => {
  const { sent, take, pass } = createBatches();
  take([success(1)]);
  take([urgent]);
  expect(sent).toEqual([[success(1), urgent]]);
  pass();
  expect(sent).toHaveLength(1);
});

test("behavior 1.55: many are sent at once, because other checks may wait for their sockets", () => {
  const { sent, take } = createBatches();
  take(upTo(31));
  expect(sent).toEqual([]);
  take([success(31)]);
  expect(sent).toEqual([upTo(32)]);
});
