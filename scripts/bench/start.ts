/**
 * How long the compiled binary takes from the start of its process to `listening`, on an empty database and on one that
 * is there, and how much memory it holds when idle; beside the same binary printing its version, which is the cost of
 * starting the runtime alone.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const RUNS = 15;
const IDLE_FOR = 3000;
const binary = resolve("dist/stillup");

console.log(
  `${RUNS} runs each, interleaved; medians (least to most); idle memory is read ${IDLE_FOR} ms after the start\n`,
);
const times: Record<"version" | "empty" | "existing", number[]> = { version: [], empty: [], existing: [] };
for (let run = 0; run < RUNS; run++) {
  const dir = mkdtempSync(join(tmpdir(), "stillup-bench-"));
  times.version.push(await timeVersion());
  times.empty.push(await timeServe(dir));
  times.existing.push(await timeServe(dir));
  rmSync(dir, { recursive: true });
}
for (const [name, values] of Object.entries(times)) {
  const ratio = median(values) / median(times.version);
  console.log(
    `${name.padEnd(10)} ${ms(median(values))} (${ms(Math.min(...values))} to ${ms(Math.max(...values))}), ${ratio.toFixed(2)} x version`,
  );
}
console.log(`idle       ${(await idleMemory()).toFixed(1)} MB resident`);

async function timeVersion(): Promise<number> {
  const start = performance.now();
  await Bun.spawn([binary, "version"], { stdout: "ignore" }).exited;
  return performance.now() - start;
}

async function timeServe(dir: string): Promise<number> {
  const start = performance.now();
  const server = await serve(dir);
  const listening = performance.now() - start;
  server.kill("SIGTERM");
  await server.exited;
  return listening;
}

async function idleMemory(): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), "stillup-bench-"));
  const server = await serve(dir);
  await Bun.sleep(IDLE_FOR);
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
  server.kill("SIGTERM");
  await server.exited;
  rmSync(dir, { recursive: true });
  return Number(kilobytes) / 1024;
}

async function serve(dir: string) {
  const server = Bun.spawn([binary, "serve", "--port", "0", "--data-dir", dir], {
    stdout: "pipe",
    stderr: "ignore",
  });
  const reader = server.stdout.getReader();
  await reader.read();
  reader.releaseLock();
  return server;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
