/**
 * Effect of listing many monitors with 90 days of rollups on other clients. Another process requests `/healthz`
 * continuously while the list and the overview of all monitors are sent, first without any cache ("cold") and then
 * again. Prints the longest response time of `/healthz`, the response times of the lists, and the maximum memory.
 * With --against, also measures another binary with a database of its own, in turns.
 *
 * list.ts [--monitors N,N] [--rounds N of warm requests] [--against BINARY] [--paths PATH,PATH]
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { inTurn, median, quantile } from "./support/figures.ts";
import { cpuTime, memory, type Running, serveWith } from "./support/processes.ts";
import { fillRollups } from "./support/rollups.ts";
import { createStoreByApi, type StoreByApi } from "./support/store-by-api.ts";

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
/** Requests that are not counted: until then the functions are being compiled. */
const WARM_UP = 20;
const binaries = [values.against, resolve("dist/stillup")].filter((one) => one !== undefined);

for (const monitors of values.monitors.split(",").map(Number)) await compare(monitors);

async function compare(monitors: number): Promise<void> {
  console.log(`\n${monitors} monitors`);
  using stores = new DisposableStack();
  const subjects: { binary: string; store: StoreByApi }[] = [];
  for (const binary of binaries) {
    const urls = ["http://127.0.0.1:1/"];
    const store = stores.use(await createStoreByApi(binary, { urls, interval: 86_400 }));
    fillRollups(store.folder, monitors);
    subjects.push({ binary, store });
  }
  for (const path of values.paths.split(",")) report(path, await measure(subjects, path));
}

interface Measured {
  cold: { time: number; standstill: number };
  times: number[];
  standstills: number[];
  bytes: number;
  /** Milliseconds of processor time of the server during each warm request, with the requests of `/healthz`. */
  processor: number[];
  /** Megabytes: before, and the maximum. */
  idle: number;
  peak: number;
}

/** Requests a path of each binary, in turns while all of them run, so that the load of the machine is the same for all. */
async function measure(subjects: { binary: string; store: StoreByApi }[], path: string): Promise<Measured[]> {
  const servers: { server: Running; key: string; found: Measured }[] = [];
  for (const { binary, store } of subjects) {
    const server = await serveWith(binary, store.folder, "--log-level", "warn");
    await Bun.sleep(1500);
    const idle = memory(server.pid);
    const cold = await request(server, path, store.key);
    const found = { cold, times: [], standstills: [], processor: [], bytes: cold.bytes, idle, peak: 0 };
    servers.push({ server, key: store.key, found });
  }
  for (let round = 0; round < WARM_UP + rounds; round++)
    for (const { server, key, found } of inTurn(servers, round)) {
      const before = cpuTime(server.pid);
      const { time, standstill } = await request(server, path, key);
      if (round < WARM_UP) continue;
      found.times.push(time);
      found.standstills.push(standstill);
      found.processor.push(cpuTime(server.pid) - before);
    }
  for (const { server, found } of servers) {
    found.peak = highest(server.pid);
    await server.stop();
  }
  return servers.map(({ found }) => found);
}

/** Uses curl, so that the work of this program does not affect the measurement. */
async function request({ said: url }: Running, path: string, key: string) {
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
  for (const [at, { cold, times, standstills, processor, idle, peak }] of found.entries()) {
    const name = (at < found.length - 1 ? "against" : "this").padEnd(8);
    const longest = `cold ${cold.standstill.toFixed(0)}, then ${median(standstills).toFixed(0)} (most ${quantile(standstills, 1).toFixed(0)})`;
    const took = `cold ${cold.time.toFixed(0)}, then ${median(times).toFixed(1)}`;
    console.log(
      `    ${name} standstill ms ${longest}; answer ms ${took}; processor ms ${mean(processor).toFixed(1)}; memory ${idle.toFixed(0)} to ${peak.toFixed(0)} MB`,
    );
  }
  const [before, now] = found;
  if (before && now)
    console.log(
      `    ratio of the responses: ${(median(now.times) / median(before.times)).toFixed(2)}, of the processor: ${(mean(now.processor) / mean(before.processor)).toFixed(2)}`,
    );
}

function mean(values: number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** Maximum resident megabytes so far. */
function highest(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
