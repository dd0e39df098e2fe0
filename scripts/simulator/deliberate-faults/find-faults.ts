import { ask, startWorker } from "../command/workers.ts";
import type { SeedJob, SeedReport } from "../seed-worker.ts";
import type { DeliberateFault } from "./fault.ts";

/** @property seed the first one that finds the fault, or null @property rule that it then breaks */
export interface FaultSearch {
  fault: DeliberateFault;
  seed: number | null;
  rule: string;
}

/**
 * Tries each fault on the seeds of its world, from the first one on, until one finds it. A seed that fails without the fault
 * proves nothing.
 *
 * @param upTo the last seed
 * @param workers threads
 */
export async function findFaults(
  faults: readonly DeliberateFault[],
  { upTo, workers }: { upTo: number; workers: number },
  onFound: (search: FaultSearch) => void,
): Promise<FaultSearch[]> {
  const waiting = [...faults];
  const searches: FaultSearch[] = [];
  async function work(): Promise<void> {
    using clean = createClean();
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      const search = await findFault(fault, upTo, clean.fails);
      searches.push(search);
      onFound(search);
    }
  }
  await Promise.all(Array.from({ length: workers }, work));
  return searches;
}

/** Runs seeds of the product as it is, each once. */
function createClean() {
  const worker = startWorker();
  const known = new Map<string, boolean>();
  return {
    async fails(job: SeedJob): Promise<boolean> {
      const key = JSON.stringify(job);
      const fails = known.get(key) ?? brokenRule(await ask(worker, job)) !== null;
      known.set(key, fails);
      return fails;
    },
    [Symbol.dispose]: () => worker.terminate(),
  };
}

/** The modules of a thread keep their fault, so that each search has a thread of its own. */
async function findFault(
  fault: DeliberateFault,
  upTo: number,
  failsWithout: (job: SeedJob) => Promise<boolean>,
): Promise<FaultSearch> {
  const worker = startWorker();
  try {
    for (let seed = 1; seed <= upTo; seed++) {
      const job = { seed, options: fault.world };
      const rule = brokenRule(await ask(worker, { ...job, fault: fault.name }));
      if (rule !== null && !(await failsWithout(job))) return { fault, seed, rule };
    }
    return { fault, seed: null, rule: "" };
  } finally {
    worker.terminate();
  }
}

/** The rule that the first violation breaks; null if there is none. */
export function brokenRule(report: SeedReport): string | null {
  if ("error" in report) return `the run ends: ${report.error.split("\n")[0]}`;
  return report.verdict.violations[0]?.rule ?? null;
}
