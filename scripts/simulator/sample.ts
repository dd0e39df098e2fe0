/**
 * Runs a seed of each world in one worker, for `scripts/test`: what the first world has loaded and compiled, the others use. Seeds are
 * fixed, so that a change is judged by the same runs as the previous one.
 *
 * Exit code 0: the truth explains everything. 1: it does not.
 */
import { printFailure, printSummary } from "./command/report.ts";
import { readRequest } from "./command/request.ts";
import { ask, startWorker } from "./command/workers.ts";
import type { SeedReport } from "./seed-worker.ts";

/** Options of `simulate.ts`. */
const SAMPLE = [
  "--seed 3 --days 10 --monitors 10",
  "--seed 4 --whole --days 3 --monitors 6",
  "--seed 3 --locations --hours 1",
  "--seed 7 --calm --hours 3",
  "--seed 1 --on-call --days 3 --monitors 3",
  "--seed 1 --jobs --weeks 5 --monitors 6",
  "--seed 1 --blind",
  "--seed 1 --runs",
  "--seed 1 --days 6 --monitors 4 --replay",
  "--seed 4 --calm --hours 1 --monitors 5 --replay",
];

const startedAt = performance.now();
const worker = startWorker();
const reports: SeedReport[] = [];
let failed = 0;
for (const options of SAMPLE) {
  const request = readRequest(options.split(" "));
  for (const seed of request.seeds) {
    const report = await ask(worker, { seed, options: request.options });
    reports.push(report);
    if ("verdict" in report && report.verdict.violations.length === 0) continue;
    failed++;
    printFailure(report, request);
  }
}
printSummary(reports, failed, (performance.now() - startedAt) / 1000);
process.exit(failed > 0 ? 1 : 0);
