import { expect, test } from "bun:test";
import { createNetwork } from "../../src/probes/connections/network.ts";
import { ProbeError } from "../../src/probes/probe-error.ts";
import { createProbeRunner } from "../../src/probes/probe-runner.ts";
import type { Check, CheckReport } from "../../src/probes/probe-thread.ts";
import { eventually } from "../support/eventually.ts";

const CHECKS = 240;

const check: Check = {
  type: "TCP",
  config: { host: "unknown.test", port: 1, interval: 60 },
  startAt: 0,
  timeout: 60_000,
};

test("at most 50 checks start in one turn of the event loop, so that they do not delay each other", async () => {
  const startsByTurn = new Map<number, number>();
  let turn = 0;
  const countTurn = () => {
    turn++;
    if (reports.length < CHECKS) setImmediate(countTurn);
  };
  const network = {
    ...createNetwork({ privateTargets: "allow" }),
    async addressesOf(): Promise<string[]> {
      startsByTurn.set(turn, (startsByTurn.get(turn) ?? 0) + 1);
      throw new ProbeError("dns_not_found", "unknown.test has no address in the DNS");
    },
  };
  const reports: CheckReport[] = [];
  const runner = createProbeRunner(network, (more) => void reports.push(...more));
  setImmediate(countTurn);
  for (let id = 1; id <= CHECKS; id++) runner.take({ id, check });
  await eventually(() => reports.length === CHECKS);
  const starts = [...startsByTurn.values()];
  expect(starts.reduce((sum, count) => sum + count)).toBe(CHECKS);
  expect(Math.max(...starts)).toBeLessThanOrEqual(50);
});
