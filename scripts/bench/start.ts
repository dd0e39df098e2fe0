/**
 * Time from the start of the process to `listening`, on an empty and on an existing database, and memory when idle.
 * For comparison, the same binary printing its version, which is the start time of the runtime alone.
 */
import { resolve } from "node:path";
import { median, spread } from "./support/figures.ts";
import { createFolder, memory, serve } from "./support/processes.ts";

const RUNS = 15;
const IDLE_FOR = 3000;
const binary = resolve("dist/stillup");

console.log(
  `${RUNS} runs each, taking turns; medians in ms (least to most); idle memory is read ${IDLE_FOR} ms after the start\n`,
);
const times: Record<"version" | "empty" | "existing", number[]> = { version: [], empty: [], existing: [] };
for (let run = 0; run < RUNS; run++) {
  using folder = createFolder();
  times.version.push(await timeVersion());
  times.empty.push(await timeServe(folder.path));
  times.existing.push(await timeServe(folder.path));
}
for (const [name, values] of Object.entries(times)) {
  const ratio = median(values) / median(times.version);
  console.log(`${name.padEnd(10)} ${spread(values, 1)}, ${ratio.toFixed(2)} x version`);
}
console.log(`idle       ${(await idleMemory()).toFixed(1)} MB resident`);

async function timeVersion(): Promise<number> {
  const start = performance.now();
  await Bun.spawn([binary, "version"], { stdout: "ignore" }).exited;
  return performance.now() - start;
}

async function timeServe(folder: string): Promise<number> {
  const start = performance.now();
  const server = await serve(folder);
  const listening = performance.now() - start;
  await server.stop();
  return listening;
}

async function idleMemory(): Promise<number> {
  using folder = createFolder();
  const server = await serve(folder.path);
  await Bun.sleep(IDLE_FOR);
  const resident = memory(server.pid);
  await server.stop();
  return resident;
}
