import { lineOf } from "../command/report.ts";
import type { Request } from "../command/request.ts";
import { ask, startWorker } from "../command/workers.ts";
import { scenarioOf } from "../run-seed.ts";
import type { SeedReport } from "../seed-worker.ts";
import { keptTest } from "./kept-test.ts";
import type { Removed } from "./removed.ts";
import { shrink } from "./shrink.ts";

/** The violation that a smaller scenario must still show. @property rule or the first line of an error */
interface Failure {
  rule: string;
  failsAt: number;
  line: string;
}

/** Rules that a run breaks if too little is left of it. */
const EMPTY = "a run proves something";

/**
 * Reduces a seed that fails to the fewest monitors, faults and hours that still break the same rule.
 *
 * @param onAttempt is called after each run, with what is left out by then
 * @returns the text of a test; null if the seed does not fail
 */
export async function shrinkSeed(
  { seeds: [seed = 0], options, fault }: Pick<Request, "seeds" | "options" | "fault">,
  onAttempt: (runs: number) => void = () => {},
): Promise<{ test: string; removed: Removed; rule: string } | null> {
  const worker = startWorker();
  try {
    const run = (removed: Removed) => ask(worker, { seed, options: { ...options, removed }, fault });
    let failure = failureOf(await run({}));
    if (!failure) return null;
    const { rule } = failure;
    let runs = 1;
    const removed = await shrink(scenarioOf(seed, options), failure.failsAt, async (smaller) => {
      const found = failureOf(await run(smaller), rule);
      onAttempt(++runs);
      failure = found ?? failure;
      return found;
    });
    return { test: keptTest({ seed, options: { ...options, removed }, ...failure }), removed, rule };
  } finally {
    worker.terminate();
  }
}

/** @param wanted the rule that it must break; any if left out */
function failureOf(report: SeedReport, wanted?: string): Failure | null {
  if ("error" in report) {
    const [rule = ""] = report.error.split("\n");
    return wanted === undefined || wanted === rule ? { rule, failsAt: Number.NaN, line: rule } : null;
  }
  const { violations, from } = report.verdict;
  const found = violations.find(({ rule }) => wanted === undefined || rule === wanted);
  if (!found || (wanted !== EMPTY && violations.some(({ rule }) => rule === EMPTY))) return null;
  return { rule: found.rule, failsAt: found.at, line: lineOf(found, from) };
}
