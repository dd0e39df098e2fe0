import { expect, test } from "bun:test";
import { createLogger } from "../../src/log.ts";
import { createHealth } from "../../src/runner/health.ts";
import { createTestClock } from "../support/clock.ts";

const log = createLogger({ level: "silent", format: "json" });

function start({ ping = async () => {} }: { ping?: () => Promise<void> } = {}) {
  const clock = createTestClock();
  const state = { acceptsWrites: true, scannedAt: 0 };
  const health = createHealth({
    clock,
    probes: { ping },
    acceptsWrites: () => state.acceptsWrites,
    scannedAt: () => state.scannedAt,
    log,
  });
  health.start();
  return { clock, state, health };
}

test("the probes are failing if due checks are no longer scanned", async () => {
  const { clock, health, state } = start();
  expect(health.report()).toEqual({ database: "ok", probes: "ok", nodes: 1 });
  await clock.advance(60_000);
  expect(health.report()).toEqual({ database: "ok", probes: "failing", nodes: 1 });
  state.scannedAt = clock.monotonic();
  expect(health.report()).toEqual({ database: "ok", probes: "ok", nodes: 1 });
});

test("the probes are failing if their thread does not respond", async () => {
  const { clock, health, state } = start({ ping: () => new Promise(() => {}) });
  await clock.advance(60_000);
  state.scannedAt = clock.monotonic();
  expect(health.report()).toEqual({ database: "ok", probes: "failing", nodes: 1 });
});

test("the database is failing while the disk rejects writes", () => {
  const { health, state } = start();
  state.acceptsWrites = false;
  expect(health.report()).toEqual({ database: "failing", probes: "ok", nodes: 1 });
});
