/**
 * Time from the start of the process to `listening`, on an empty and on an existing database, and memory when idle.
 * For comparison, the same binary printing its version, which is the start time of the runtime alone, and with --against another
 * binary, in turns.
 *
 * start.ts [--against BINARY]
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { median, spread } from "./support/figures.ts";
import { createFolder, memory, serveWith } from "./support/processes.ts";

const RUNS = 15;
const IDLE_FOR = 3000;
const { values } = parseArgs({ options: { against: { type: "string" } } });
const subjects = [values.against, "dist/stillup"]
  .filter((one) => one !== undefined)
  .map((binary) => ({
    binary,
    times: { version: [], empty: [], existing: [] } as Record<"version" | "empty" | "existing", number[]>,
  }));

console.log(
  `${RUNS} runs each, taking turns; medians in ms (least to most); idle memory is read ${IDLE_FOR} ms after the start\n`,
);
for (let run = 0; run < RUNS; run++)
  for (const { binary, times } of subjects) {
    using folder = createFolder();
    times.version.push(await timeVersion(binary));
    times.empty.push(await timeServe(binary, folder.path));
    times.existing.push(await timeServe(binary, folder.path));
  }
for (const { binary, times } of subjects) {
  console.log(binary);
  for (const [name, found] of Object.entries(times)) {
    const ratio = median(found) / median(times.version);
    console.log(`  ${name.padEnd(10)} ${spread(found, 1)}, ${ratio.toFixed(2)} x version`);
  }
  console.log(`  idle       ${(await idleMemory(binary)).toFixed(1)} MB resident`);
}

async function timeVersion(binary: string): Promise<number> {
  const start = performance.now();
  await Bun.spawn([resolve(binary), "version"], { stdout: "ignore" }).exited;
  return performance.now() - start;
}

async function timeServe(binary: string, folder: string): Promise<number> {
  const start = performance.now();
  const server = await serveWith(binary, folder);
  const listening = performance.now() - start;
  await server.stop();
  return listening;
}

async function idleMemory(binary: string): Promise<number> {
  using folder = createFolder();
  const server = await serveWith(binary, folder.path);
  await Bun.sleep(IDLE_FOR);
  const resident = memory(server.pid);
  await server.stop();
  return resident;
}
