/**
 * Effect of listing many monitors with 90 days of rollups on other clients. Another process requests `/healthz`
 * continuously while the list and the overview of all monitors are sent, first without any cache ("cold") and then
 * again. Prints the longest response time of `/healthz`, the response times of the lists, and the maximum memory.
 * With --against, also measures another binary on a copy of the same database, in turns.
 *
 * list.ts [--monitors N,N] [--rounds N of warm requests] [--against BINARY] [--paths PATH,PATH]
 */
import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { median, quantile } from "./support/figures.ts";
import { createFolder, createStore, memory, type Running, run } from "./support/processes.ts";
import { fillRollups } from "./support/rollups.ts";

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "1000,10000" },
    rounds: { type: "string", default: "9" },
    against: { type: "string" },
    paths: {
      type: "string",
      default:
        "monitors,monitors?range=7d,overview?range=90d,overview?range=90d&first=12,events?limit=200,events?limit=200&status=degraded",
    },
  },
});
const rounds = Number(values.rounds);
const binaries = [values.against, resolve("dist/stillup")].filter((one) => one !== undefined);

for (const monitors of values.monitors.split(",").map(Number)) await compare(monitors);

async function compare(monitors: number): Promise<void> {
  using store = await createStore([
    { type: "HTTP", config: { url: "http://127.0.0.1:1/", interval: 86_400 } },
  ]);
  fillRollups(store.folder, monitors);
  store.query("PRAGMA wal_checkpoint(TRUNCATE)");
  console.log(`\n${monitors} monitors`);
  for (const path of values.paths.split(",")) {
    const found: Measured[] = [];
    for (const binary of binaries) {
      using copy = createFolder();
      cpSync(store.folder, copy.path, { recursive: true });
      found.push(await measure(binary, copy.path, { path, key: store.key }));
    }
    report(path, found);
  }
}

interface Measured {
  cold: { time: number; standstill: number };
  times: number[];
  standstills: number[];
  bytes: number;
  /** Megabytes: before, and the maximum. */
  idle: number;
  peak: number;
}

async function measure(
  binary: string,
  folder: string,
  what: { path: string; key: string },
): Promise<Measured> {
  const started = await run([binary, "serve", "--port", "0", "--data-dir", folder, "--log-level", "warn"]);
  const url = started.said.replace(/.*listening on /, "");
  await Bun.sleep(1500);
  const idle = memory(started.pid);
  const first = await request(started, url, what);
  const others: (typeof first)[] = [];
  for (let round = 0; round < rounds; round++) others.push(await request(started, url, what));
  const peak = highest(started.pid);
  await started.stop();
  return {
    cold: first,
    times: others.map(({ time }) => time),
    standstills: others.map(({ standstill }) => standstill),
    bytes: first.bytes,
    idle,
    peak,
  };
}

/** Uses curl, so that the work of this program does not affect the measurement. */
async function request(_: Running, url: string, { path, key }: { path: string; key: string }) {
  const pings = Bun.spawn([process.execPath, join(import.meta.dir, "support/pings.ts"), `${url}/healthz`], {
    stdout: "pipe",
  });
  const said = pings.stdout.getReader();
  await said.read();
  await Bun.sleep(200);
  const format = "%{http_code} %{time_total} %{size_download}";
  const curl = Bun.spawn(
    [
      "curl",
      "-s",
      "-o",
      "/dev/null",
      "-w",
      format,
      "-H",
      `Authorization: Bearer ${key}`,
      `${url}/api/v1/${path}`,
    ],
    { stdout: "pipe" },
  );
  const [status, seconds, bytes] = (await new Response(curl.stdout).text()).split(" ").map(Number);
  if (status !== 200) throw new Error(`${path} was answered ${status}`);
  pings.kill("SIGTERM");
  const { value } = await said.read();
  const [standstill = Number.NaN] = new TextDecoder().decode(value).split(" ").map(Number);
  return { time: (seconds ?? 0) * 1000, bytes: bytes ?? 0, standstill };
}

function report(path: string, found: Measured[]): void {
  console.log(`  ${path}, ${((found.at(-1)?.bytes ?? 0) / 1e6).toFixed(2)} MB`);
  for (const [at, { cold, times, standstills, idle, peak }] of found.entries()) {
    const name = (at < found.length - 1 ? "against" : "this").padEnd(8);
    const longest = `cold ${cold.standstill.toFixed(0)}, then ${median(standstills).toFixed(0)} (most ${quantile(standstills, 1).toFixed(0)})`;
    const took = `cold ${cold.time.toFixed(0)}, then ${median(times).toFixed(1)}`;
    console.log(
      `    ${name} standstill ms ${longest}; answer ms ${took}; memory ${idle.toFixed(0)} to ${peak.toFixed(0)} MB`,
    );
  }
  const [before, now] = found;
  if (before && now)
    console.log(`    ratio of the responses: ${(median(now.times) / median(before.times)).toFixed(2)}`);
}

/** Maximum resident megabytes so far. */
function highest(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
