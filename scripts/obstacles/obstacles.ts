/**
 * The obstacle course: stand-ins of every kind of target, which break in every way that we know, and `dist/stillup`, which must
 * say what is true of each of them in time, and nothing else. Scenarios run side by side.
 *
 * Prints for each class how many runs were right, said something false, or missed something that was true; how long it took
 * until it was known, as a multiple of the interval and its confirmations; and what 99 of 100 took beyond that. The exit code
 * is 1 if anything was false or missed, and if nothing was checked.
 *
 * obstacles.ts [--only CLASS|NAME]... [--rounds N] [--patience SECONDS] [--list]
 */
import { parseArgs } from "node:util";
import { COLUMNS, cellsOf, figuresOf, isFast } from "./judge/figures.ts";
import type { Verdict } from "./judge/judge.ts";
import { CLASSES } from "./registry.ts";
import { type Outcome, runCourse } from "./run/course.ts";
import { enterNamespace } from "./run/namespace.ts";
import { preferStandIns } from "./run/priority.ts";

const { chosen, rounds, patience, list } = readArguments();
const scenarios = Object.values(chosen).flat();
if (list) {
  for (const [name, own] of Object.entries(chosen)) {
    for (const { name: scenario, about } of own)
      console.log(`${name.padEnd(14)} ${scenario.padEnd(24)} ${about}`);
  }
  process.exit(0);
}
await enterNamespace();
preferStandIns();
const start = performance.now();
const outcomes = await runCourse(scenarios, { rounds, patience });
const isPassed = show(outcomes);
console.log(
  `\n${scenarios.length} scenarios, ${rounds} rounds, ${((performance.now() - start) / 1000).toFixed(0)} s`,
);
process.exit(isPassed ? 0 : 1);

/** Prints the table and a line for each fault. @returns whether everything was right and fast */
function show(all: Outcome[]): boolean {
  const rows = Object.entries(chosen).map(([name, own]): [string, Verdict[]] => [
    name,
    all
      .filter(({ scenario }) => own.some((one) => one.name === scenario))
      .flatMap(({ verdict }) => verdictOf(verdict)),
  ]);
  const total = figuresOf(rows.flatMap(([, verdicts]) => verdicts));
  const lines = [
    ["class", ...COLUMNS],
    ...rows.map(([name, verdicts]) => [name, ...cellsOf(figuresOf(verdicts))]),
  ];
  for (const line of [...lines, ["all", ...cellsOf(total)]]) {
    console.log(line.map((cell, at) => (at === 0 ? cell.padEnd(14) : cell.padStart(10))).join(" "));
  }
  console.log();
  for (const { scenario, verdict } of all) {
    const faults =
      verdict instanceof Error
        ? [`broke off: ${verdict.message}`]
        : [...verdict.falses.map((one) => `false: ${one}`), ...verdict.missed.map((one) => `missed: ${one}`)];
    for (const fault of faults) console.log(`${scenario}: ${fault}`);
  }
  const isWhole = all.length > 0 && all.every(({ verdict }) => !(verdict instanceof Error));
  return isWhole && total.right === total.runs && isFast(total);
}

function verdictOf(verdict: Verdict | Error): Verdict[] {
  return verdict instanceof Error ? [] : [verdict];
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", multiple: true },
        rounds: { type: "string", default: "1" },
        patience: { type: "string", default: "3" },
        list: { type: "boolean", default: false },
      },
    });
    const chosen = values.only ? only(values.only) : CLASSES;
    return {
      chosen,
      rounds: Number(values.rounds),
      patience: 1000 * Number(values.patience),
      list: values.list,
    };
  } catch (error) {
    console.error(`obstacles.ts: ${(error as Error).message}`);
    process.exit(2);
  }
}

/** @param names of classes and scenarios */
function only(names: string[]): typeof CLASSES {
  const found = Object.entries(CLASSES).map(([name, own]): [string, typeof own] => [
    name,
    names.includes(name) ? own : own.filter((scenario) => names.includes(scenario.name)),
  ]);
  const known = new Set(found.flatMap(([name, own]) => [name, ...own.map((scenario) => scenario.name)]));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new Error(`--only must be a class or a scenario (see --list), got ${unknown}`);
  return Object.fromEntries(found.filter(([, own]) => own.length > 0));
}
