import { expect, test } from "bun:test";
import { createCoreWaits } from "../../src/probes/stall-detector.ts";

test("behavior 1.49: waits for a core are those since the last note before the start of a check", () => {
  let waited = 100;
  const waits = createCoreWaits(() => waited);
  waits.note(0);
  waited = 110;
  waits.note(25);
  waited = 140;
  expect(waits.since(24)).toBe(40);
  expect(waits.since(25)).toBe(30);
  expect(waits.since(60)).toBe(30);
});

test("notes are kept longer than any check takes, and not for ever", () => {
  let waited = 0;
  const waits = createCoreWaits(() => waited++);
  for (let at = 0; at < 100_000; at += 25) waits.note(at);
  const all = waited;
  expect(waits.since(99_000 - 10_000)).toBeWithin(400, 480);
  expect(waits.since(0)).toBeLessThan(all);
});

test("a thread that shares its core with another process has waited for it", async () => {
  const busy = Bun.spawn(["taskset", "--cpu-list", "0", "sh", "-c", "while :; do :; done"]);
  const script = `${import.meta.dir}/../support/wait-for-core.ts`;
  const shared = Bun.spawn(["taskset", "--cpu-list", "0", process.execPath, script]);
  try {
    expect(Number(await shared.stdout.text())).toBeGreaterThan(25);
  } finally {
    busy.kill("SIGKILL");
  }
});
