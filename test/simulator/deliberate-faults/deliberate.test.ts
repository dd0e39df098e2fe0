import { expect, test } from "bun:test";
import { ask, startWorker } from "../../../scripts/simulator/command/workers.ts";
import { DELIBERATE_FAULTS } from "../../../scripts/simulator/deliberate-faults/deliberate.ts";
import { brokenRule } from "../../../scripts/simulator/deliberate-faults/find-faults.ts";
import { edited } from "../../../scripts/simulator/deliberate-faults/install.ts";

test.each(DELIBERATE_FAULTS)("the fault $name replaces text that the product has once", async ({ edits }) => {
  for (const edit of edits) {
    const text = await Bun.file(`src/${edit.file}`).text();
    expect(edited(text, [edit])).not.toBe(text);
  }
});

test("each fault has a name of its own", () => {
  const names = DELIBERATE_FAULTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

/** `simulate.ts --faults` finds all of them. This one takes a few seconds. */
const SAMPLE = ["fixed-clocks"];

test.each(DELIBERATE_FAULTS.filter(({ name }) => SAMPLE.includes(name)))(
  "a seed finds the fault $name",
  async ({ name, world, caughtBy: { seed, rule } }) => {
    const worker = startWorker();
    try {
      expect(brokenRule(await ask(worker, { seed, options: world, fault: name }))).toBe(rule);
    } finally {
      worker.terminate();
    }
  },
  60_000,
);
