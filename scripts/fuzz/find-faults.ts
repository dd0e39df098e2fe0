import type { FuzzFault } from "./deliberate-faults.ts";
import { runFleet } from "./fleet.ts";
import type { Range } from "./run-range.ts";

/** @property inputs how many of seed 1 it took to find the fault; null if none of them does @property violation the rule that it then breaks */
export interface FaultSearch {
  inputs: number | null;
  violation: string;
}

/** Runs inputs of a product with a fault, ten times as many each time, until one breaks a rule. */
export async function findFault({ name, protocol, inputs }: FuzzFault): Promise<FaultSearch> {
  for (let [from, to] = [0, 100]; from < inputs; [from, to] = [to, 10 * to]) {
    const ranges: Range[] = [{ protocol, seed: 1, from, to: Math.min(to, inputs) }];
    const reports = await runFleet({ ranges, workers: 1, fault: name, onProgress: () => {} });
    const failures = reports.get(protocol)?.failures ?? [];
    const [first] = failures.sort((a, b) => a.index - b.index);
    if (first) return { inputs: first.index + 1, violation: first.violation };
  }
  return { inputs: null, violation: "" };
}
