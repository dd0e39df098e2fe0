import { expect, test } from "bun:test";
import { excessiveLoss, judgeCheck, pingFacts } from "../../../src/domain/checks/judge.ts";
import { parseConfig } from "../../../src/domain/monitors/monitor.ts";
import { byAddress } from "../../support/checks/by-address.ts";
import { readPage } from "../../support/documentation/page.ts";

test("behavior 20.31: the facts of pings are the least, mean and greatest round trip, in microseconds", () => {
  expect(pingFacts(3, [2, 1.00049, 6])).toEqual({ sent: 3, received: 3, minMs: 1, avgMs: 3, maxMs: 6 });
  expect(pingFacts(2, [])).toEqual({ sent: 2, received: 0, minMs: null, avgMs: null, maxMs: null });
});

test.each([
  [3, 3, 0, null],
  [3, 2, 34, null],
  [3, 2, 33, "1 of 3 pings were lost, expected at most 33 %"],
  [5, 4, 20, null],
  [5, 3, 20, "2 of 5 pings were lost, expected at most 20 %"],
  [1, 1, 0, null],
])("behavior 20.33: %p sent, %p received, at most %p %% lost", (sent, received, maxLoss, message) => {
  expect(excessiveLoss(pingFacts(sent, new Array(received).fill(1)), maxLoss)).toBe(message);
});

const CONFIG = { host: "a.example", interval: 60, protocol: "icmp" } as const;
const reached = (received: number) => ({
  outcome: "reached" as const,
  latencyMs: 1,
  detail: { ping: pingFacts(3, new Array(received).fill(1)) },
});
const judge = (evidence: Parameters<typeof judgeCheck>[1], more = {}) =>
  judgeCheck({ type: "TCP", config: { ...CONFIG, ...more }, memory: null }, evidence, 0);

test("behavior 20.33: lost pings are Degraded only with `maxLoss`", () => {
  expect(judge(reached(1)).status).toBe("up");
  expect(judge(reached(3), { maxLoss: 0 }).status).toBe("up");
  expect(judge(reached(2), { maxLoss: 0 })).toMatchObject({
    status: "degraded",
    latencyMs: 1,
    detail: { reason: "packet_loss", message: "1 of 3 pings were lost, expected at most 0 %" },
  });
});

test("behavior 20.33: pings that one address of a host loses are Degraded too", () => {
  const some = byAddress([reached(3), reached(2)]);
  expect(judge(some, { maxLoss: 0, everyAddress: true })).toMatchObject({
    status: "degraded",
    detail: { reason: "packet_loss", addresses: [{ seen: "up" }, { seen: "degraded" }] },
  });
});

test("the documented config of a ping is valid", async () => {
  const { blocks } = await readPage("docs/monitors.md");
  const text = blocks.find(({ mark }) => mark === "tested by test/domain/checks/ping.test.ts")?.text ?? "";
  expect(parseConfig("TCP", JSON.parse(text), "enterprise")).toMatchObject({ protocol: "icmp", maxLoss: 20 });
});
