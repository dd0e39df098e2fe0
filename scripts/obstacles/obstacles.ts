/**
 * The obstacle course: stand-ins of every kind of target, which break in every way that we know, and `dist/stillup`, which must
 * say what is true of each of them in time, and nothing else. Scenarios run side by side.
 *
 * Prints for each class how many runs were right, said something false, or missed something that was true; how long it took
 * until it was known, as a multiple of the interval and its confirmations; and what 99 of 100 took beyond that. The exit code
 * is 1 if anything was false, missed or late, if evidence names a wrong layer, or a right one too rarely, and if nothing was checked. With `--sample`, a part of the scenarios runs, and may
 * be late, as on a machine that does other work. With `--peers`, other monitors run the scenarios that they can express, one after
 * the other, and do not change the exit code.
 *
 * obstacles.ts [--only CLASS|NAME]... [--sample] [--rounds N] [--patience SECONDS] [--peers] [--markdown] [--list]
 */
import { parseArgs } from "node:util";
import { quantile } from "../bench/support/figures.ts";
import { isExplained, isFast } from "./judge/figures.ts";
import { asMarkdown, asText, comparisonOf, figuresIn, type Ran, tableOf } from "./judge/table.ts";
import { findPeers } from "./peers/peers.ts";
import { CLASSES } from "./registry.ts";
import { type Outcome, runCourse, STILLUP } from "./run/course.ts";
import { enterNamespace } from "./run/namespace.ts";
import { preferStandIns } from "./run/priority.ts";
import { SAMPLE } from "./sample.ts";

const { chosen, rounds, patience, isSample, hasPeers, isMarkdown, list } = readArguments();
const scenarios = Object.values(chosen).flat();
if (list) {
  for (const [name, own] of Object.entries(chosen)) {
    for (const { name: scenario, about } of own)
      console.log(`${name.padEnd(14)} ${scenario.padEnd(24)} ${about}`);
  }
  process.exit(0);
}
const peers = hasPeers ? await findPeers() : [];
await enterNamespace();
preferStandIns();
const start = performance.now();
const ran: Ran[] = [];
for (const contestant of [STILLUP, ...peers]) {
  const { outcomes, delay } = await runCourse(scenarios, { rounds, patience, contestant });
  ran.push({ contestant: contestant.name, outcomes });
  console.log(
    `${contestant.name}, with stand-ins that were late by at most ${delay.toFixed(0)} ms\n${asText(tableOf(chosen, { contestant: contestant.name, outcomes }))}\n`,
  );
  showFaults(outcomes);
}
const [first, ...others] = ran;
if (isMarkdown && first) console.log(asMarkdown(comparisonOf(chosen, [first, ...others])));
const { right, falses, missed, late, explained, bytes } = figuresIn(first?.outcomes ?? []);
const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.log(
  `\n${scenarios.length} scenarios, ${rounds} rounds: ${right} right, ${falses} false, ${missed} missed, ${late} late; ${seconds} s`,
);
if (bytes.length > 0)
  console.log(
    `layers: ${explained.right} right, ${explained.unknown} unknown, ${explained.wrong} wrong; ${bytes.length} items of evidence, stored in ${quantile(bytes, 0.5)} bytes (median), ${Math.max(...bytes)} at most`,
  );
process.exit(isPassed(first?.outcomes ?? []) ? 0 : 1);

/** Whether everything was right and fast; of a sample, whether nothing was false and missed. */
function isPassed(outcomes: Outcome[]): boolean {
  const total = figuresIn(outcomes);
  const isWhole = outcomes.length > 0 && total.runs === outcomes.length;
  if (isSample) return isWhole && total.falses + total.missed + total.explained.wrong === 0;
  return isWhole && total.right === total.runs && isFast(total) && isExplained(total);
}

/** Prints a line for each fault. */
function showFaults(outcomes: Outcome[]): void {
  for (const { scenario, verdict } of outcomes) {
    if (verdict === "not possible") continue;
    const faults =
      verdict instanceof Error
        ? [`broke off: ${verdict.message}`]
        : [
            ...verdict.falses.map((one) => `false: ${one}`),
            ...verdict.missed.map((one) => `missed: ${one}`),
            ...verdict.late.map((one) => `late: ${one}`),
            ...verdict.blame.unknown.map((one) => `layer unknown: ${one}`),
            ...verdict.blame.wrong.map((one) => `layer wrong: ${one}`),
          ];
    for (const fault of faults) console.log(`${scenario}: ${fault}`);
  }
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", multiple: true },
        rounds: { type: "string", default: "1" },
        patience: { type: "string", default: "3" },
        sample: { type: "boolean", default: false },
        peers: { type: "boolean", default: false },
        markdown: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
      },
    });
    const names = values.sample ? SAMPLE : values.only;
    const chosen = names ? only(names) : CLASSES;
    return {
      chosen,
      rounds: Number(values.rounds),
      patience: 1000 * Number(values.patience),
      isSample: values.sample,
      hasPeers: values.peers,
      isMarkdown: values.markdown,
      list: values.list,
    };
  } catch (error) {
    console.error(`obstacles.ts: ${(error as Error).message}`);
    process.exit(2);
  }
}

/** @param names of classes and scenarios */
function only(names: readonly string[]): typeof CLASSES {
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
