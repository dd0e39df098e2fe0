import { expect, test } from "bun:test";
import { join } from "node:path";
import { deliberateFault } from "../../../scripts/simulator/deliberate-faults/deliberate.ts";
import { scenarioOf } from "../../../scripts/simulator/run-seed.ts";
import { reduced } from "../../../scripts/simulator/shrink/reduced.ts";
import { shrink } from "../../../scripts/simulator/shrink/shrink.ts";
import { shrinkSeed } from "../../../scripts/simulator/shrink/shrink-seed.ts";
import { isLong } from "../../support/long.ts";
import { tempDir } from "../../support/temp-dir.ts";

const MINUTE = 60_000;

test("a failure of one monitor during one fault keeps nothing else", async () => {
  const scenario = scenarioOf(3, { days: 3, monitors: 12 });
  const fault = scenario.faults.find(({ kind }) => kind === "restart");
  if (fault?.kind !== "restart") throw new Error("the seed has no restart");
  const isFailing = (left: typeof scenario) =>
    left.monitors.some(({ name }) => name === "monitor-7") && left.faults.some((one) => one === fault);
  const removed = await shrink(scenario, fault.to, async (smaller) =>
    isFailing(reduced(scenario, smaller)) ? { failsAt: fault.to } : null,
  );
  const { monitors, faults, channels, from, to } = reduced(scenario, removed);
  expect(monitors).toHaveLength(1);
  expect(monitors[0]?.name).toBe("monitor-7");
  expect(monitors[0]).not.toHaveProperty("confirmations");
  expect([faults, channels]).toEqual([[fault], []]);
  expect(to - from).toBeLessThan(90 * MINUTE);
});

test("a seed that passes is not reduced", async () => {
  const shrunk = await shrinkSeed({
    seeds: [1],
    options: { days: 1, monitors: 2, blindHours: 1 },
    fault: undefined,
  });
  expect(shrunk).toBeNull();
}, 300_000);

test.skipIf(!isLong)(
  "a seed that finds a deliberate fault becomes a test that fails with the fault and passes without",
  async () => {
    const fault = deliberateFault("unseen-blindness");
    const { world: options, caughtBy } = fault;
    const seed = caughtBy?.seed ?? 0;
    const shrunk = await shrinkSeed({ seeds: [seed], options, fault: fault.name });
    if (!shrunk) throw new Error("the seed does not find the fault");
    const { monitors } = reduced(scenarioOf(seed, options), shrunk.removed);
    expect(monitors).toHaveLength(1);
    using dir = tempDir();
    const file = join(dir.path, "kept.test.ts");
    const simulator = `${process.cwd()}/scripts/simulator/`;
    await Bun.write(file, shrunk.test.replace("../../../scripts/simulator/", simulator));
    const preload = ["--preload", "./scripts/simulator/deliberate-faults/preload.ts"];
    const [without, withFault] = [runTest(file), runTest(file, preload, { DELIBERATE_FAULT: fault.name })];
    expect(without.exitCode).toBe(0);
    expect(withFault.stderr.toString()).toContain(shrunk.rule);
    expect(withFault.exitCode).toBe(1);
  },
  300_000,
);

function runTest(file: string, options: readonly string[] = [], env: Record<string, string> = {}) {
  return Bun.spawnSync([process.execPath, "test", ...options, file], { env: { ...process.env, ...env } });
}
