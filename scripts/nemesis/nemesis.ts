/**
 * Three nodes on one database, whose clocks differ by an hour, while nodes are killed and stopped, and connections and the
 * database break. Targets, jobs and receivers log what happens to them, and a checker judges what the nodes did:
 *
 * - every target has a result within interval + timeout + 15 s, and no slot is checked twice while all nodes are healthy
 * - the log of the target explains every status, and every acknowledged check-in has its result
 * - each transition is in the database once, and arrives at each of its channels, once more per fault at most, and in order
 *
 * Each kind of fault happens within two minutes; runs of less than a minute have only some short ones. The scenario follows from
 * the seed. The interleaving of processes does not, so that each run may find something else.
 *
 * nemesis.ts [--seconds 120] [--seed N] [--binary dist/stillup | --source] [--keep] [--details]
 *
 * Exit code 0: no rule is broken. 1: one is; the logs are kept. 2: a wrong option.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findFakeClock } from "../bed/server.ts";
import { check } from "./checker/check.ts";
import { longestGaps } from "./checker/coverage.ts";
import { countRepeated } from "./checker/notifications.ts";
import { countHealthySlots } from "./checker/slots.ts";
import { countTransitions } from "./checker/transitions.ts";
import type { Violation } from "./checker/violation.ts";
import type { Log } from "./log.ts";
import type { PlannedFault } from "./plan/faults.ts";
import { runScenario } from "./run.ts";

/** Violations of one rule in the output, unless all are asked for. */
const EXAMPLES = 8;
const MAX_SEED = 2 ** 32 - 1;

const { seconds, seed, command, keep, details } = readArguments();
const folder = await mkdtemp(join(tmpdir(), "stillup-nemesis-"));
const clocks = findFakeClock()
  ? "whose clocks differ by an hour"
  : "with equal clocks, because libfaketime is missing (Debian: faketime)";
console.log(`Three nodes, ${clocks}, for ${seconds} s with seed ${seed}`);
const { log, unexpected } = await runScenario({ seed, seconds, command, folder, onFault: printFault }).catch(
  (error) => {
    for (const cause of causesOf(error)) console.error(cause);
    process.exit(1);
  },
);
await Bun.write(join(folder, "log.json"), JSON.stringify(log));
const violations = [...check(log), ...unexpected.map((message) => ({ rule: "end", message }))];
printFigures(log);
printViolations(violations);
if (violations.length === 0 && !keep) await rm(folder, { recursive: true, force: true });
else console.log(`The logs are in ${folder}`);
process.exit(violations.length > 0 ? 1 : 0);

/** The error that ended a scenario, and those after it while its processes were ended. */
function causesOf(error: unknown): unknown[] {
  return error instanceof SuppressedError
    ? [...causesOf(error.suppressed), ...causesOf(error.error)]
    : [error];
}

function printFault({ kind, node, at, lasts }: PlannedFault): void {
  const victim = node === null ? "the database" : `node-${node + 1}`;
  const duration = lasts > 0 ? ` for ${(lasts / 1000).toFixed(1)} s` : "";
  console.log(`${(at / 1000).toFixed(1).padStart(7)} s  ${kind} ${victim}${duration}`);
}

function printFigures(log: Log): void {
  const count = (values: Record<string, readonly unknown[]>) => Object.values(values).flat().length;
  const answered = Object.values(log.checkins)
    .flat()
    .filter(({ answeredAt }) => answeredAt !== null).length;
  const gap = Math.max(...longestGaps(log)) / 1000;
  console.log(
    `${count(log.results)} results of ${log.monitors.length} monitors, at most ${gap.toFixed(1)} s apart; ${countHealthySlots(log)} checks while all nodes were healthy
${answered} of ${count(log.checkins)} check-ins were acknowledged
${countTransitions(log)} transitions, ${count(log.deliveries)} notifications, ${countRepeated(log)} of them repeated
${log.faults.length} faults`,
  );
}

function printViolations(all: Violation[]): void {
  for (const [rule, some] of Map.groupBy(all, (violation) => violation.rule)) {
    for (const { message } of details ? some : some.slice(0, EXAMPLES)) console.log(`${rule}: ${message}`);
    const more = some.length - EXAMPLES;
    if (more > 0 && !details) console.log(`${rule}: ${more} more (--details)`);
  }
  console.log(all.length === 0 ? "No rule is broken" : `${all.length} violations with seed ${seed}`);
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        seconds: { type: "string", default: "120" },
        seed: { type: "string", default: String(Math.floor(Math.random() * MAX_SEED)) },
        binary: { type: "string", default: "dist/stillup" },
        source: { type: "boolean", default: false },
        keep: { type: "boolean", default: false },
        details: { type: "boolean", default: false },
      },
    });
    const { keep, details } = values;
    if (!values.source && !existsSync(values.binary))
      throw new Error(`${values.binary} is missing: run \`bun run build\` first`);
    return {
      ...{ keep, details },
      seconds: wholeNumber("--seconds", values.seconds, 20, 86_400),
      seed: wholeNumber("--seed", values.seed, 0, MAX_SEED),
      command: values.source ? [process.execPath, resolve("src/main.ts")] : [resolve(values.binary)],
    };
  } catch (error) {
    console.error(`nemesis.ts: ${(error as Error).message}`);
    process.exit(2);
  }
}

function wholeNumber(flag: string, text: string, from: number, to: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= from && value <= to) return value;
  throw new Error(`${flag} must be a whole number from ${from} to ${to}, got ${text}`);
}
