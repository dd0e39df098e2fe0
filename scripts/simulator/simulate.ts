/**
 * Runs the real server for many days of virtual time against a hidden truth and faults of its own machine, all of which
 * follow from a seed, and judges what it recorded and notified. Equal seeds and options give equal traces, except on PostgreSQL.
 *
 * simulate.ts --seed N | --seeds A..B [--days 30] [--monitors M] [--workers W] [--engine sqlite|postgres]
 *   [--locations | --calm | --jobs | --blind] [--fault NAME]
 *
 * With --locations, remote locations check the monitors for --hours 2 instead of days. With --calm, monitors depend on one
 * another and have windows, delays and reminders, for --hours 6. With --jobs, jobs keep their local time over changes of clocks,
 * with windows that recur over their runs, for --weeks 8. With --blind, the DNS server dies alone and for good, within
 * --hours 2. With --fault, the product has a fault of scripts/simulator/deliberate-faults, which seeds are to find.
 *
 * Exit code 0: the truth explains everything. 1: it does not. 2: a wrong option.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { deliberateFault } from "./deliberate-faults/deliberate.ts";
import type { Violation } from "./ledger.ts";
import type { SeedOptions, Verdict } from "./run-seed.ts";
import type { SeedJob, SeedReport } from "./seed-worker.ts";
import { SIMULATED_ENGINES, type SimulatedEngine } from "./world/database.ts";

/** The largest seed. */
const MAX_SEED = 2 ** 32 - 1;

const WORKER = new URL("./seed-worker.ts", import.meta.url);

/** Violations of one seed in the output. */
const MAX_VIOLATIONS = 10;

interface Request {
  seeds: number[];
  options: SeedOptions;
  fault: string | undefined;
  workers: number;
}

const request = readRequest(process.argv.slice(2));
const startedAt = performance.now();
const reports = await runAll(request, showProgress(request.seeds.length));
const seconds = (performance.now() - startedAt) / 1000;
const failed = reports.filter((report) => "error" in report || report.verdict.violations.length > 0);
for (const report of failed) printFailure(report, request);
printSummary(reports, failed.length, seconds);
process.exit(failed.length > 0 ? 1 : 0);

function readRequest(args: string[]): Request {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seed: { type: "string" },
        seeds: { type: "string" },
        days: { type: "string", default: "30" },
        monitors: { type: "string" },
        workers: { type: "string" },
        engine: { type: "string", default: "sqlite" },
        locations: { type: "boolean", default: false },
        calm: { type: "boolean", default: false },
        jobs: { type: "boolean", default: false },
        blind: { type: "boolean", default: false },
        weeks: { type: "string", default: "8" },
        hours: { type: "string" },
        fault: { type: "string" },
      },
    });
    const seeds = seedsOf(values);
    if (values.locations && values.engine !== "sqlite") throw new Error("--locations needs --engine sqlite");
    if ([values.locations, values.calm, values.jobs, values.blind].filter(Boolean).length > 1)
      throw new Error("give only one of --locations, --calm, --jobs and --blind");
    const hours = (fallback: string) => wholeNumber("--hours", values.hours ?? fallback, 1, 48);
    const most = Math.min(seeds.length, availableParallelism());
    return {
      seeds,
      options: {
        days: wholeNumber("--days", values.days, 1, 3650),
        engine: engineOf(values.engine),
        locationHours: values.locations ? hours("2") : undefined,
        calmHours: values.calm ? hours("6") : undefined,
        blindHours: values.blind ? hours("2") : undefined,
        jobWeeks: values.jobs ? wholeNumber("--weeks", values.weeks, 4, 52) : undefined,
        monitors:
          values.monitors === undefined ? undefined : wholeNumber("--monitors", values.monitors, 1, 10_000),
      },
      fault: values.fault && deliberateFault(values.fault).name,
      workers: values.workers === undefined ? most : wholeNumber("--workers", values.workers, 1, 1024),
    };
  } catch (error) {
    console.error(`simulate: ${(error as Error).message}`);
    process.exit(2);
  }
}

function seedsOf({ seed, seeds }: { seed?: string | undefined; seeds?: string | undefined }): number[] {
  if ((seed === undefined) === (seeds === undefined))
    throw new Error("give either --seed N or --seeds A..B, for example --seeds 1..200");
  if (seed !== undefined) return [wholeNumber("--seed", seed, 0, MAX_SEED)];
  const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(seeds ?? "") ?? [];
  if (first === undefined || last === undefined)
    throw new Error(`--seeds must be a range such as 1..200, got ${seeds}`);
  const [from, to] = [wholeNumber("--seeds", first, 0, MAX_SEED), wholeNumber("--seeds", last, 0, MAX_SEED)];
  if (from > to) throw new Error(`--seeds must begin with the smaller number, got ${seeds}`);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

function engineOf(name: string): SimulatedEngine {
  const engine = SIMULATED_ENGINES.find((one) => one === name);
  if (!engine) throw new Error(`--engine must be one of ${SIMULATED_ENGINES.join(", ")}, got ${name}`);
  return engine;
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}, got ${text}`);
}

async function runAll({ seeds, options, fault, workers }: Request, onReport: (report: SeedReport) => void) {
  const waiting = [...seeds];
  const reports: SeedReport[] = [];
  async function work(): Promise<void> {
    const worker = new Worker(WORKER);
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const report = await ask(worker, { seed, options, fault });
      reports.push(report);
      onReport(report);
    }
    worker.terminate();
  }
  await Promise.all(Array.from({ length: workers }, work));
  return reports.sort((a, b) => a.seed - b.seed);
}

function ask(worker: Worker, job: SeedJob): Promise<SeedReport> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<SeedReport>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`the worker of seed ${job.seed} ended: ${message}`));
    worker.postMessage(job);
  });
}

/** A bar on a terminal, nothing elsewhere. */
function showProgress(all: number): (report: SeedReport) => void {
  let [done, failures] = [0, 0];
  return (report) => {
    done++;
    if ("error" in report || report.verdict.violations.length > 0) failures++;
    if (!process.stderr.isTTY) return;
    const filled = Math.round((30 * done) / all);
    const bar = "█".repeat(filled) + "░".repeat(30 - filled);
    process.stderr.write(`\r${bar} ${done}/${all}${failures > 0 ? `, ${failures} failed` : ""}`);
    if (done === all) process.stderr.write("\n");
  };
}

function printFailure(report: SeedReport, { options, fault }: Request): void {
  const { days, locationHours, calmHours, jobWeeks, blindHours, monitors, engine } = options;
  const more =
    (monitors === undefined ? "" : ` --monitors ${monitors}`) +
    (engine === "postgres" ? " --engine postgres" : "") +
    (fault === undefined ? "" : ` --fault ${fault}`);
  const length =
    (locationHours !== undefined && `--locations --hours ${locationHours}`) ||
    (calmHours !== undefined && `--calm --hours ${calmHours}`) ||
    (blindHours !== undefined && `--blind --hours ${blindHours}`) ||
    (jobWeeks !== undefined && `--jobs --weeks ${jobWeeks}`) ||
    `--days ${days}`;
  console.log(
    `seed ${report.seed} failed: bun scripts/simulator/simulate.ts --seed ${report.seed} ${length}${more}`,
  );
  if ("error" in report) {
    console.log(`  ${report.error}`);
    return;
  }
  const { violations, from } = report.verdict;
  for (const violation of violations.slice(0, MAX_VIOLATIONS)) console.log(`  ${lineOf(violation, from)}`);
  const hidden = violations.length - MAX_VIOLATIONS;
  if (hidden > 0) console.log(`  and ${hidden} more`);
}

function lineOf({ rule, at, monitor, channel, text }: Violation, from: number): string {
  const after = ((at - from) / 1000).toFixed(1);
  const where = [monitor, channel].filter((name) => name !== undefined).join(", ");
  return `${new Date(at).toISOString()} (${after} s) ${rule}: ${where ? `${where}: ` : ""}${text}`;
}

function printSummary(reports: SeedReport[], failures: number, seconds: number): void {
  const verdicts = reports.flatMap((report) => ("verdict" in report ? [report.verdict] : []));
  const sum = (count: (verdict: Verdict) => number) => verdicts.reduce((total, one) => total + count(one), 0);
  const hours = sum(({ monitorHours }) => monitorHours);
  const [only] = verdicts;
  if (only && verdicts.length === 1) console.log(`trace ${only.trace}`);
  const { user, system } = process.cpuUsage();
  const perCpuSecond = Math.round((hours * 1e6) / (user + system));
  console.log(
    `${reports.length} seeds, ${failures} failed; ${hours.toLocaleString("en")} monitor-hours in ${seconds.toFixed(1)} s ` +
      `(${Math.round(hours / seconds).toLocaleString("en")} a second, ` +
      `${perCpuSecond.toLocaleString("en")} a second of one core): ${sum(({ checks }) => checks)} checks (at least ` +
      `${sum(({ demandedChecks }) => demandedChecks)} were demanded), ${sum(({ checkins }) => checkins)} check-ins, ` +
      `${sum(({ notifications }) => notifications)} notifications, ${sum(({ lives }) => lives)} starts of the server`,
  );
}
