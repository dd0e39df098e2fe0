/**
 * Time from the start of the process to `listening`, on an empty and on an existing database, and memory and processor time when idle.
 * For comparison, the same binary printing its version, which is the start time of the runtime alone, and with --against another
 * binary, in turns.
 *
 * start.ts [--against BINARY] [--idle MINUTES]
 */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inTurn, median, spread } from "./support/figures.ts";
import { cpuTime, createFolder, memory, ownMemory, serveWith } from "./support/processes.ts";

const RUNS = 15;
/** The runtime compiles what repeats: the processor time is measured after some minutes. */
const MEASURED_FOR = 60_000;
const { values } = parseArgs({
  options: { against: { type: "string" }, idle: { type: "string", default: "8" } },
});
const idleFor = Number(values.idle) * 60_000;
// Copies, because it depends on how a file was read into the page cache how much of it is resident: up to 5 MB.
using copies = createFolder();
const subjects = [values.against, "dist/stillup"]
  .filter((one) => one !== undefined)
  .map((name) => ({
    name,
    binary: copyOf(name),
    times: { version: [], empty: [], existing: [] } as Record<"version" | "empty" | "existing", number[]>,
  }));

console.log(
  `${RUNS} runs each, taking turns; medians in ms (least to most); idle is measured ${values.idle} minutes after the start\n`,
);
for (let run = 0; run < RUNS; run++)
  for (const { binary, times } of inTurn(subjects, run)) {
    using folder = createFolder();
    times.version.push(await timeVersion(binary));
    times.empty.push(await timeServe(binary, folder.path));
    times.existing.push(await timeServe(binary, folder.path));
  }
const idle = await Promise.all(subjects.map(({ binary }) => measureIdle(binary)));
for (const [at, { name, times }] of subjects.entries()) {
  console.log(name);
  for (const [part, found] of Object.entries(times)) {
    const ratio = median(found) / median(times.version);
    console.log(`  ${part.padEnd(10)} ${spread(found, 1)}, ${ratio.toFixed(2)} x version`);
  }
  console.log(`  idle       ${idle[at]}`);
}

function copyOf(binary: string): string {
  const copy = join(copies.path, Bun.hash(binary).toString(36));
  copyFileSync(binary, copy);
  return copy;
}

async function timeVersion(binary: string): Promise<number> {
  const start = performance.now();
  await Bun.spawn([binary, "version"], { stdout: "ignore" }).exited;
  return performance.now() - start;
}

async function timeServe(binary: string, folder: string): Promise<number> {
  const start = performance.now();
  const server = await serveWith(binary, folder);
  const listening = performance.now() - start;
  await server.stop();
  return listening;
}

/** An empty server. All of them run at the same time. */
async function measureIdle(binary: string): Promise<string> {
  using folder = createFolder();
  const server = await serveWith(binary, folder.path);
  await Bun.sleep(idleFor);
  const before = cpuTime(server.pid);
  await Bun.sleep(MEASURED_FOR);
  const used = (cpuTime(server.pid) - before) / (MEASURED_FOR / 1000);
  const [resident, own] = [memory(server.pid), ownMemory(server.pid)];
  await server.stop();
  return `${resident.toFixed(1)} MB resident, ${own.toFixed(1)} of them without files, ${used.toFixed(1)} ms of processor time a second`;
}
