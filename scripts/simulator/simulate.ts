/**
 * Runs the real server for many days of virtual time against a hidden truth and faults of its own machine, all of which
 * follow from a seed, and judges what it recorded and notified. Equal seeds and options give equal traces, except on PostgreSQL.
 *
 * simulate.ts --seed N | --seeds A..B [--days 30] [--monitors M] [--workers W] [--engine sqlite|postgres [--nodes N]]
 *   [--whole | --locations | --calm [--nights] | --on-call [--people P [--turns]] | --jobs | --blind | --runs] [--replay [--computed]] [--coverage | --demand-coverage] [--fault NAME] [--shrink]
 *
 * With --whole, everything is in one world, for --days 8: locations, dependencies, windows, jobs over a change of clocks,
 * operators, receivers that fail, and faults of the server. With --locations, remote locations check the monitors for --hours 2
 * instead of days. With --calm, monitors depend on one another and have windows, delays and reminders, for --hours 6; with --nights, hours too. With
 * --on-call, people take turns and monitors notify whoever is on call, for --days 14; with --people, so many of them are in teams whose jobs
 * fail at drawn seconds, while operators change people and schedules; with --turns too, only the functions of schedules run, without a server. With
 * --jobs, jobs keep their local time over changes of clocks, with windows that recur over their runs, for --weeks 8. With
 * --blind, the DNS server dies alone and for good, within --hours 2. With --runs, --monitors 24 jobs report their runs for a year or
 * 1,000 runs each: only the rules of jobs run, without a server and a database. With --nodes, so many server processes share the
 * database: requests, and faults of a process, reach one after the other. With --fault, the product has a fault of
 * scripts/simulator/deliberate-faults, which seeds are to find. With --shrink, a seed that fails is reduced to the fewest
 * monitors, faults and hours that still fail, and printed as a test to keep.
 *
 * With --replay, a world with one server is replayed (docs/behavior/25-hindsight.md): without changes, which must be what was recorded,
 * and with one to three changes that follow from the seed, between whose bounds a second run of the same world with the changed
 * settings must lie. With --computed, each outage and notification that a replay without changes computes must be recorded, too.
 *
 * With --coverage, a run with --whole prints what its worlds did together, and what they never did; with --demand-coverage, it also
 * fails if they never did something.
 *
 * Exit code 0: the truth explains everything. 1: it does not. 2: a wrong option.
 */

import {
  printCoverage,
  printFailure,
  printSearch,
  printSummary,
  showProgress,
  showRuns,
} from "./command/report.ts";
import { readRequest } from "./command/request.ts";
import { runAll } from "./command/workers.ts";
import { findFaults } from "./deliberate-faults/find-faults.ts";
import { shrinkSeed } from "./shrink/shrink-seed.ts";

const request = readRequest(process.argv.slice(2));
if (request.shrinks) {
  const shrunk = await shrinkSeed(request, showRuns);
  console.log(shrunk?.test ?? "the seed does not fail");
  process.exit(shrunk ? 1 : 0);
}
if (request.faults) {
  const searches = await findFaults(request.faults, request, printSearch);
  process.exit(searches.every(({ seed }) => seed !== null) ? 0 : 1);
}
const startedAt = performance.now();
const reports = await runAll(request, showProgress(request.seeds.length));
const seconds = (performance.now() - startedAt) / 1000;
const failed = reports.filter((report) => "error" in report || report.verdict.violations.length > 0);
for (const report of failed) printFailure(report, request);
const isCovered = !request.options.coverage || printCoverage(reports);
printSummary(reports, failed.length, seconds);
process.exit(failed.length > 0 || (request.demandsCoverage && !isCovered) ? 1 : 0);
