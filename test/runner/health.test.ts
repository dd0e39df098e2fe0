import { expect, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import type { NetworkState } from "../../src/probes/network-state.ts";
import { createHealth, HEALTH_PURPOSES, isHealthy } from "../../src/runner/health.ts";
import { createTestClock } from "../support/clock.ts";

function start({ ping = async () => {} }: { ping?: () => Promise<void> } = {}) {
  const clock = createTestClock();
  const logged: string[] = [];
  const log = createLogger({ level: "silent" });
  log.error = (...[, message = ""]: unknown[]) => void logged.push(String(message));
  const state: {
    acceptsWrites: boolean;
    scannedAt: number;
    isAway: boolean;
    network?: NetworkState;
    blindness: { blind: number; probed: number };
    overdue: number;
  } = {
    acceptsWrites: true,
    scannedAt: 0,
    isAway: false,
    blindness: { blind: 0, probed: 3 },
    overdue: 0,
  };
  const health = createHealth({
    clock,
    probes: { ping },
    acceptsWrites: () => state.acceptsWrites,
    isAway: () => state.isAway,
    nodes: () => 3,
    blindness: () => state.blindness,
    overdue: () => state.overdue,
    network: () => state.network,
    scannedAt: () => state.scannedAt,
    log,
  });
  health.start();
  return { clock, state, health, logged };
}

test("the probes are failing if due checks are no longer scanned", async () => {
  const { clock, health, state } = start();
  expect(health.report()).toEqual({ database: "ok", probes: "ok", blind: 0, overdue: 0, nodes: 3 });
  await clock.advance(60_000);
  expect(health.report()).toEqual({ database: "ok", probes: "failing", blind: 0, overdue: 0, nodes: 3 });
  state.scannedAt = clock.monotonic();
  expect(health.report()).toEqual({ database: "ok", probes: "ok", blind: 0, overdue: 0, nodes: 3 });
});

test("the probes are failing if their thread does not respond, which is logged", async () => {
  const { clock, health, state, logged } = start({ ping: () => new Promise(() => {}) });
  await clock.advance(60_000);
  state.scannedAt = clock.monotonic();
  expect(health.report()).toEqual({ database: "ok", probes: "failing", blind: 0, overdue: 0, nodes: 3 });
  expect(logged).toEqual(["this service is unhealthy"]);
});

test("the database is failing while the disk rejects writes", () => {
  const { health, state } = start();
  state.acceptsWrites = false;
  expect(health.report()).toEqual({ database: "failing", probes: "ok", blind: 0, overdue: 0, nodes: 3 });
});

test("behavior 12.6: while the database is away, and until the next scan after it, the probes are not failing", async () => {
  const { clock, health, state } = start();
  state.isAway = true;
  state.acceptsWrites = false;
  await clock.advance(60_000);
  expect(health.report()).toEqual({ database: "away", probes: "ok", blind: 0, overdue: 0, nodes: 3 });
  state.isAway = false;
  state.acceptsWrites = true;
  expect(health.report()).toEqual({ database: "ok", probes: "ok", blind: 0, overdue: 0, nodes: 3 });
  await clock.advance(60_000);
  expect(health.report()).toEqual({ database: "ok", probes: "failing", blind: 0, overdue: 0, nodes: 3 });
});

test("behavior 13.55: an offline network is reported, but does not make the service unhealthy", () => {
  const { health, state } = start();
  for (const network of ["online", "offline"] as const) {
    state.network = network;
    expect(health.report()).toEqual({
      database: "ok",
      probes: "ok",
      blind: 0,
      overdue: 0,
      nodes: 3,
      network,
    });
    expect(isHealthy(health.report())).toBe(true);
  }
});

test("behavior 7.71: overdue monitors are reported, but do not make the service unhealthy", () => {
  const { health, state } = start();
  state.overdue = 2;
  expect(health.report()).toEqual({ database: "ok", probes: "ok", blind: 0, overdue: 2, nodes: 3 });
  expect(isHealthy(health.report())).toBe(true);
});

test.each([
  [1, 3, "ok"],
  [1, 2, "blind"],
  [0, 0, "ok"],
] as const)("behavior 7.71: with %d blind of %d monitors, the probes are %s", (blind, probed, how) => {
  const { health, state } = start();
  state.blindness = { blind, probed };
  expect(health.report()).toEqual({ database: "ok", probes: how, blind, overdue: 0, nodes: 3 });
  expect(isHealthy(health.report())).toBe(how === "ok");
});

test.each([
  [
    { database: "ok", probes: "failing" },
    { liveness: false, readiness: true },
  ],
  [
    { database: "ok", probes: "blind" },
    { liveness: true, readiness: true },
  ],
  [
    { database: "failing", probes: "ok" },
    { liveness: true, readiness: true },
  ],
  [
    { database: "away", probes: "ok" },
    { liveness: true, readiness: false },
  ],
  [
    { database: "ok", probes: "ok", draining: true },
    { liveness: true, readiness: false },
  ],
] as const)(
  "behavior 7.77: %j is not healthy; what helps is a restart, another node, or neither",
  (report, fit) => {
    expect(isHealthy(report)).toBe(false);
    for (const purpose of HEALTH_PURPOSES) expect(isHealthy(report, purpose)).toBe(fit[purpose]);
  },
);
