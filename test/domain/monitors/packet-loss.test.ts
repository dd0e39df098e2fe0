import { expect, test } from "bun:test";
import { pingFacts } from "../../../src/domain/checks/judge.ts";
import { type WalkOptions, walkedChecks } from "./walked-checks.ts";

const config = { host: "a.example", protocol: "icmp", interval: 60, maxLoss: 0 };
const replied = (received: number, latencyMs = 10) => ({
  outcome: "reached" as const,
  latencyMs,
  detail: { ping: pingFacts(3, new Array(received).fill(latencyMs)) },
});
const [good, lossy] = [replied(3), replied(2)];
const walked = (checks: ReturnType<typeof replied>[], options: WalkOptions = {}) =>
  walkedChecks(checks, { config, ...options });

test.each([false, true])(
  "behavior 20.33, 11.1: lost pings need confirmation like any trouble (location: %p)",
  (isPlaced) => {
    const of = { isPlaced, confirmations: 1, recoveries: 1 };
    const states = walked([good, lossy, lossy, good, good], of);
    expect(states.map(({ state }) => state.status)).toEqual(["up", "up", "degraded", "degraded", "up"]);
    expect(states[2]?.outages).toMatchObject([{ kind: "opened", reason: "packet_loss", status: "degraded" }]);
  },
);

test("behavior 20.33: lost pings say nothing about the latency", () => {
  const settled = Array.from({ length: 12 }, () => good);
  const states = walked([...settled, lossy, replied(3, 200), good]);
  expect(states.slice(-3).map(({ state }) => state.status)).toEqual(["degraded", "degraded", "up"]);
  expect(states.at(-2)?.result?.detail).not.toHaveProperty("reason");
});
