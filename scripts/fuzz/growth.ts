#!/usr/bin/env bun
/**
 * Finds readers of the probes whose work grows faster than their input: a server could keep a core busy with a small answer.
 * Each shape of input is read in three sizes, n, 2n and 4n, and the processor time is compared.
 *
 * growth.ts [--shape TEXT] [--fault NAME]
 *
 * With --shape, only shapes whose protocol and name contain the text. With --fault, the product has a fault of
 * scripts/fuzz/growth/deliberate-faults.ts.
 *
 * Exit code 0: 4n takes at most 7 times as long as n, for each shape. 1: it takes longer for one. 2: a wrong option.
 */
import { parseArgs } from "node:util";
import { installFault } from "../simulator/deliberate-faults/install.ts";
import { quadraticFault } from "./growth/deliberate-faults.ts";
import { growthOf, MOST } from "./growth/measure.ts";

const { shape: text, fault } = readOptions();
if (fault) installFault(fault);
// After the fault is installed, because it changes what is loaded.
const { SHAPES } = await import("./growth/shapes.ts");
const chosen = SHAPES.filter(({ protocol, name }) => `${protocol} ${name}`.includes(text));
let failed = 0;
for (const shape of chosen) {
  const { costs, factor } = await growthOf(shape);
  const isFine = factor <= MOST;
  if (!isFine) failed++;
  const times = costs.map((cost) => cost.toFixed(0)).join(", ");
  const verdict = isFine ? "fine  " : "FAILED";
  console.log(`${verdict} ${shape.protocol} ${shape.name}: ${factor.toFixed(1)} times (${times} µs)`);
}
console.log(`${chosen.length} shapes, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { shape: { type: "string", default: "" }, fault: { type: "string" } },
    });
    return { shape: values.shape, fault: values.fault ? quadraticFault(values.fault) : undefined };
  } catch (error) {
    console.error(`growth: ${(error as Error).message}`);
    process.exit(2);
  }
}
