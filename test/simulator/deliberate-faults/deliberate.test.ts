import { expect, test } from "bun:test";
import {
  DELIBERATE_FAULTS,
  type DeliberateFault,
} from "../../../scripts/simulator/deliberate-faults/deliberate.ts";
import { edited } from "../../../scripts/simulator/deliberate-faults/install.ts";
import type { SeedReport } from "../../../scripts/simulator/seed-worker.ts";
import { isLong } from "../../support/long.ts";

/** A seed takes some seconds of processor time. */
const TIME_LIMIT = 240_000;

test.each(DELIBERATE_FAULTS)("the fault $name replaces text that the product has once", async ({ edits }) => {
  for (const edit of edits) {
    const text = await Bun.file(`src/${edit.file}`).text();
    expect(edited(text, [edit])).not.toBe(text);
  }
});

/** An ordinary run shows for one fault that seeds find it. */
const found = DELIBERATE_FAULTS.filter(({ name }) => isLong || name === "fixed-clocks");

test.each(found.map((fault) => [fault.name, fault] as const))(
  "the simulator finds the fault %s",
  async (_, fault) => {
    const report = await runWith(fault);
    expect(report).not.toHaveProperty("error");
    const violations = "verdict" in report ? report.verdict.violations : [];
    expect(violations.map(({ rule }) => rule)).toContain(fault.caughtBy.rule);
  },
  TIME_LIMIT,
);

/** In a thread of its own, because the fault stays in the modules that are loaded. */
function runWith({ name, caughtBy: { seed, options } }: DeliberateFault): Promise<SeedReport> {
  const worker = new Worker(new URL("../../../scripts/simulator/seed-worker.ts", import.meta.url));
  return new Promise<SeedReport>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<SeedReport>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage({ seed, options, fault: name });
  }).finally(() => worker.terminate());
}
