/**
 * Requests a second of an authenticated `GET /api/v1/status`, compared with a plain Elysia route that returns a
 * constant of the same size. The difference is the cost of stillup.
 *
 * Both servers run from source in separate processes, in turns: a round is a few seconds of one, then of the other.
 * `wrk` sends the load over keep-alive connections. Values are medians over the rounds.
 *
 * bun scripts/bench/status.ts [rounds] [seconds]
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 3);
const CONNECTIONS = 32;
const MONITORS = [10, 1000];

const main = resolve("src/main.ts");
const bare = resolve("scripts/bench/bare-server.ts");
if (!Bun.which("wrk")) throw new Error("wrk is missing: install it (`apt-get install wrk`)");

console.log(
  `wrk, 1 thread, ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s each, interleaved; medians (least to most)\n`,
);
for (const monitors of MONITORS) await compare(monitors);

async function compare(monitors: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "stillup-bench-"));
  const product = await start([main, "serve", "--port", "0", "--data-dir", dataDir, "--log-level", "error"]);
  const key = readFileSync(join(dataDir, "initial-owner-key"), "utf8").trim();
  await createMonitors(product.url, key, monitors);
  const path = "/api/v1/status";
  const answer = await (await fetch(product.url + path, { headers: authorization(key) })).text();
  const constant = await start([bare, answer]);

  const rates: Record<"status" | "bare", number[]> = { status: [], bare: [] };
  for (let round = 0; round <= rounds; round++) {
    const [bareRate, statusRate] = [load(constant.url + path, key), load(product.url + path, key)];
    // The first round is the warm-up.
    if (round === 0) continue;
    rates.bare.push(bareRate);
    rates.status.push(statusRate);
  }
  for (const server of [product, constant]) await server.stop();
  rmSync(dataDir, { recursive: true });
  console.log(`${monitors} monitors, a response of ${answer.length} bytes`);
  for (const [name, values] of Object.entries(rates)) console.log(`  ${name.padEnd(7)} ${summary(values)}`);
  console.log(`  ratio   ${(median(rates.status) / median(rates.bare)).toFixed(2)}`);
}

/** SCHEDULED monitors, so that no check runs during the load. */
async function createMonitors(url: string, key: string, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const body = JSON.stringify({ name: `job ${at}`, type: "SCHEDULED", config: {} });
    const { status } = await fetch(`${url}/api/v1/monitors`, {
      method: "POST",
      body,
      headers: authorization(key),
    });
    if (status !== 201) throw new Error(`a monitor was not made: ${status}`);
  }
}

function authorization(key: string) {
  return { authorization: `Bearer ${key}` };
}

async function start(args: string[]) {
  const child = Bun.spawn([process.execPath, ...args], { stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const [url] = /http:\/\/\S+/.exec(new TextDecoder().decode(value)) ?? [];
  if (!url) throw new Error(`${args[0]} did not listen`);
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** @returns requests per second */
function load(url: string, key: string): number {
  const args = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-H", `Authorization: Bearer ${key}`, url];
  const output = Bun.spawnSync(["wrk", ...args]).stdout.toString();
  if (output.includes("Non-2xx")) throw new Error(`not every answer was a success: ${output}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

function summary(values: number[]): string {
  const round = (value: number) => Math.round(value).toLocaleString("en");
  return `${round(median(values))} /s (${round(Math.min(...values))} to ${round(Math.max(...values))})`;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
