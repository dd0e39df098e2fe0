/**
 * The matrix of faults of stillup itself: what the compiled server reports while it, its machine or its network has a fault.
 *
 * Each fault has its own server with monitors of all types, and its own targets, which log exactly when they were down.
 * A third of the targets stays healthy, a third goes down in the middle of the fault and stays down for 24 s after it,
 * and a third is down before the fault and recovers in its middle. Every figure must be 0:
 *
 * - false: statuses, and notifications, that the log of the target does not explain
 * - missed: outages and recoveries without a notification within interval + timeout + 10 s, counted from the end of the
 *   fault if they began in it, and monitors without a check after it
 * - lost, repeated: changes of the status without a notification, or with more than one
 *
 * Faults run side by side, except those that disturb all processes. A fault that this user or this machine can't cause
 * has not passed. The exit code is 1 if a fault that has to pass has not.
 *
 * faults.ts [--only NAME]... [--list] [--details]
 */
import { parseArgs } from "node:util";
import { clockFaults } from "./faults/clock-faults.ts";
import { CannotRun, type Fault } from "./faults/fault.ts";
import type { Verdict } from "./faults/judge.ts";
import { networkFaults } from "./faults/network-faults.ts";
import { processFaults } from "./faults/process-faults.ts";
import { endAll, runFault } from "./faults/run-fault.ts";
import { storageFaults } from "./faults/storage-faults.ts";

const FAULTS: Fault[] = [...processFaults, ...storageFaults, ...networkFaults, ...clockFaults];
/** Lines of details for each figure, unless all are asked for. */
const EXAMPLES = 4;
/** Servers at a time, and milliseconds between the first starts. */
const AT_ONCE = 5;
const STAGGER = 500;

const { chosen, list, details } = readArguments();
if (list) {
  for (const { name, method, allowed } of chosen)
    console.log(`${name.padEnd(14)} ${method}${allowed ? `. May fail: ${allowed}` : ""}`);
  process.exit(0);
}

console.log(`${chosen.length} faults, each on its own server of dist/stillup with 21 monitors (HTTP, TCP, TLS, DNS: interval and timeout 1 s; SCHEDULED: period 10 s, grace 2 s):
7 stay healthy, 7 go down in the middle of the fault until 24 s after it, 7 are down before it and recover in its middle.
False: not explained by the log of the target. Missed: later than interval + timeout + 10 s after the begin, or after the end of the fault.
`);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void endAll().finally(() => process.exit(1)));
const start = performance.now();
const outcomes = new Map<Fault, Verdict | Error>();
const beside = chosen.filter(({ alone }) => !alone);
await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => takeTurns(at * STAGGER)));
for (const fault of chosen.filter(({ alone }) => alone)) await attempt(fault);
const passed = show();
const failed = chosen.filter((fault) => !fault.allowed && !passed.has(fault));
console.log(
  `\n${passed.size} of ${chosen.length} passed${failed.length > 0 ? `; not: ${failed.map(({ name }) => name).join(", ")}` : ""}; ${((performance.now() - start) / 1000).toFixed(0)} s`,
);
process.exit(failed.length > 0 ? 1 : 0);

async function takeTurns(delay: number): Promise<void> {
  await Bun.sleep(delay);
  for (let fault = beside.shift(); fault; fault = beside.shift()) await attempt(fault);
}

async function attempt(fault: Fault): Promise<void> {
  outcomes.set(fault, await runFault(fault).catch((error: Error) => error));
}

/** Prints the table and the details. @returns what passed */
function show(): Set<Fault> {
  const good = new Set<Fault>();
  const columns = ["false statuses", "false notifications", "missed", "lost or repeated"];
  console.log(["fault".padEnd(14), ...columns, "of results", "notifications"].join("  "));
  const notes: string[] = [];
  for (const fault of chosen) {
    const outcome = outcomes.get(fault);
    const name = fault.name.padEnd(14);
    if (!outcome || outcome instanceof Error) {
      const kind = outcome instanceof CannotRun ? "did not run" : "broke off";
      console.log(`${name}  ${kind}: ${outcome?.message}`);
      continue;
    }
    const { results, notifications, falseStatuses, falseNotifications, missed, lostOrRepeated } = outcome;
    const figures = [falseStatuses, falseNotifications, missed, lostOrRepeated];
    if (figures.every(({ length }) => length === 0)) good.add(fault);
    else notes.push(...figures.flatMap((lines, at) => linesOf(`${fault.name}: ${columns[at]}`, lines)));
    const cells = figures.map(({ length }, at) => String(length).padStart(columns[at]?.length ?? 0));
    const totals = [String(results).padStart(10), String(notifications).padStart(13)];
    const note = fault.allowed && !good.has(fault) ? ["may fail"] : [];
    console.log([name, ...cells, ...totals, ...note].join("  "));
  }
  if (notes.length > 0) console.log(`\n${notes.join("\n")}`);
  return good;
}

function linesOf(title: string, lines: string[]): string[] {
  const shown = details ? lines : lines.slice(0, EXAMPLES);
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more (--details)`] : [])].map((line) => `${title}: ${line}`);
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", multiple: true },
        list: { type: "boolean", default: false },
        details: { type: "boolean", default: false },
      },
    });
    const unknown = values.only?.find((name) => !FAULTS.some((fault) => fault.name === name));
    if (unknown !== undefined)
      throw new Error(`--only must be one of ${FAULTS.map(({ name }) => name).join(", ")}, got ${unknown}`);
    const chosen = FAULTS.filter(({ name }) => values.only?.includes(name) ?? true);
    return { ...values, chosen };
  } catch (error) {
    console.error(`faults.ts: ${(error as Error).message}`);
    process.exit(2);
  }
}
