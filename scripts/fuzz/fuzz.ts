/**
 * Feeds the product's own readers of HTTP, DNS, TCP, TLS and greetings with valid, broken and lying input, split anywhere, and judges each
 * observation by what was composed. All of it follows from a seed.
 *
 * fuzz.ts [--protocol http|dns|tcp|tls|greetings|all] [--inputs 200000] [--seed 1] [--workers W] [--fault NAME]
 * fuzz.ts --input FILE... [--fault NAME]
 * fuzz.ts --faults
 *
 * With --input, inputs that were kept are replayed. With --fault, the product has a fault of scripts/fuzz/deliberate-faults.ts,
 * which inputs are to find. With --faults, a table says how many inputs it takes to find each of them.
 *
 * Exit code 0: no rule is broken. 1: one is. 2: a wrong option.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hash } from "../simulator/truth/draw.ts";
import { DELIBERATE_FAULTS, deliberateFault } from "./deliberate-faults.ts";
import { findFault } from "./find-faults.ts";
import { rangesOf, runFleet } from "./fleet.ts";
import { keptText, readKeptInput } from "./kept-input.ts";
import { missingOutcomes, PROTOCOLS, SHARES } from "./protocols.ts";
import type { Failure, Range } from "./run-range.ts";
import type { RangeReport } from "./worker.ts";

interface Request {
  protocols: string[];
  inputs: number;
  seed: number;
  workers: number;
  fault: string | undefined;
  files: string[];
  isSearch: boolean;
}

const request = readRequest(process.argv.slice(2));
const { files, fault } = request;
const isFine = await run();
process.exit(isFine ? 0 : 1);

function run(): Promise<boolean> {
  if (request.isSearch) return searchFaults();
  return files.length === 0 ? runAll(request) : replay(files, fault);
}

function readRequest(args: string[]): Request {
  try {
    const { values } = parseArgs({
      args,
      options: {
        protocol: { type: "string", default: "all" },
        inputs: { type: "string", default: "200000" },
        seed: { type: "string", default: "1" },
        workers: { type: "string" },
        fault: { type: "string" },
        faults: { type: "boolean", default: false },
        input: { type: "string", multiple: true, default: [] },
      },
    });
    const names = Object.keys(PROTOCOLS);
    const { protocol, workers = String(availableParallelism()) } = values;
    if (protocol !== "all" && !names.includes(protocol))
      throw new Error(`--protocol must be one of ${names.join(", ")} and all, got ${protocol}`);
    return {
      protocols: protocol === "all" ? names : [protocol],
      inputs: wholeNumber("--inputs", values.inputs, 1),
      seed: wholeNumber("--seed", values.seed, 0),
      workers: wholeNumber("--workers", workers, 1),
      fault: values.fault && deliberateFault(values.fault).name,
      files: values.input,
      isSearch: values.faults,
    };
  } catch (error) {
    console.error(`fuzz: ${(error as Error).message}`);
    process.exit(2);
  }
}

function wholeNumber(name: string, text: string, least: number): number {
  if (/^\d{1,10}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`${name} must be a whole number from ${least}, got ${text}`);
}

async function searchFaults(): Promise<boolean> {
  let missed = 0;
  console.log("| Fault | Effect | Inputs | Violation |\n| --- | --- | --- | --- |");
  for (const fault of DELIBERATE_FAULTS) {
    const { inputs, violation } = await findFault(fault);
    if (inputs === null) missed++;
    const [count, words] = [inputs?.toLocaleString("en") ?? "not found", violation.slice(0, 60)];
    console.log(`| \`${fault.name}\` | ${fault.effect} | ${count} | ${words.replaceAll("|", " ")} |`);
  }
  return missed === 0;
}

async function replay(files: string[], fault: string | undefined): Promise<boolean> {
  let failed = 0;
  for (const file of files) {
    const { protocol, input } = await readKeptInput(file);
    const ranges: Range[] = [{ protocol, seed: 0, from: 0, to: 1, input }];
    const reports = await runFleet({ ranges, workers: 1, fault, onProgress: () => {} });
    const failures = reports.get(protocol)?.failures ?? [];
    for (const { violation } of failures) console.log(`${file}: ${violation}`);
    failed += failures.length;
  }
  console.log(`${files.length} inputs, ${failed} failed`);
  return failed === 0;
}

async function runAll({ protocols, inputs, seed, workers, fault }: Request): Promise<boolean> {
  const all = protocols.reduce((sum, name) => sum + (SHARES[name] ?? 0), 0);
  const counts = new Map(protocols.map((name) => [name, Math.ceil((inputs * (SHARES[name] ?? 0)) / all)]));
  const count = [...counts.values()].reduce((sum, own) => sum + own, 0);
  const start = performance.now();
  const ranges = [...counts].flatMap(([name, own]) => rangesOf(name, seed, own));
  const reports = await runFleet({ ranges, workers, fault, onProgress: showProgress(count) });
  let failed = 0;
  for (const [name, own] of counts) failed += printReport(name, own, { seed, report: reports.get(name) });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${count} inputs, ${failed} failed; in ${seconds} s`);
  return failed === 0;
}

/** @returns how many rules are broken */
function printReport(
  name: string,
  inputs: number,
  { seed, report }: { seed: number; report: RangeReport | undefined },
): number {
  if (!report) return 1;
  printSummary(name, inputs, report);
  for (const failure of report.failures) printFailure(failure, seed);
  const missing = missingOutcomes(name, inputs, report.outcomes);
  if (missing.length > 0) console.log(`  ${name} never had the outcome ${missing.join(", ")}`);
  return report.failures.length + (missing.length > 0 ? 1 : 0);
}

function printSummary(name: string, inputs: number, { cpu, rss, trace, outcomes }: RangeReport): void {
  const perSecond = Math.round((1e6 * inputs) / cpu).toLocaleString("en");
  console.log(
    `${name}: ${inputs.toLocaleString("en")} inputs, ${perSecond} a second of processor, at most ${Math.round(rss / 1024 / 1024)} MiB, trace ${trace.toString(16)}`,
  );
  const sorted = Object.entries(outcomes).sort(([, a], [, b]) => b - a);
  console.log(
    `  ${sorted.map(([outcome, count]) => `${outcome} ${count.toLocaleString("en")}`).join(" · ")}`,
  );
}

function printFailure(failure: Failure, seed: number): void {
  const text = keptText(failure);
  const folder = join(tmpdir(), "stillup-fuzz");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${failure.protocol}-${hash(text).toString(16)}.json`);
  writeFileSync(file, text);
  console.log(`  input ${failure.index} of seed ${seed}: ${failure.violation.slice(0, 2000)}`);
  console.log(`  bun scripts/fuzz/fuzz.ts --input ${file}`);
  console.log("  Once it is fixed, keep the file in test/fixtures/fuzz/");
}

/** On a terminal, nothing elsewhere. */
function showProgress(all: number): (inputs: number) => void {
  let done = 0;
  return (inputs) => {
    done += inputs;
    if (!process.stderr.isTTY) return;
    process.stderr.write(`\r${done.toLocaleString("en")}/${all.toLocaleString("en")} inputs`);
    if (done >= all) process.stderr.write("\r\x1b[K");
  };
}
