/**
 * Memory and punctuality beside targets whose answers never end: for each kind, that many monitors of a server that sends as fast as
 * it is read, beside healthy monitors of small answers, plain and with each coding. Binaries take turns within each kind.
 *
 * The memory is the greatest resident size, looked at each 100 ms, beyond the resident size of the same server before its first check. The
 * delay of a healthy check is the longest time between two results of one monitor, beyond its interval.
 *
 * endless.ts [--monitors N of a kind] [--healthy N] [--seconds N] [--interval N] [--only KIND,KIND] [--against BINARY]
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { cpuTime, createStore, memory, run, type StoredResult, serveWith } from "./support/processes.ts";

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "60" },
    healthy: { type: "string", default: "20" },
    seconds: { type: "string", default: "20" },
    interval: { type: "string", default: "5" },
    only: { type: "string" },
    against: { type: "string" },
  },
});
const [count, healthyCount] = [Number(values.monitors), Number(values.healthy)];
const [seconds, interval] = [Number(values.seconds), Number(values.interval)];

type Target = { type: "HTTP" | "TCP"; config: object };

const CODINGS = ["plain", "gzip", "deflate", "br"];
const EXPECTED = {
  complete: { complete: true },
  contains: { contains: "never there" },
  json: { json: { "$.ok": true } },
};
const target = await run([process.execPath, join(import.meta.dir, "support/endless-target.ts")]);
const [port, mailPort] = target.said.split(" ").map(Number);
const url = (path: string) => `http://127.0.0.1:${port}/${path}`;
const kinds: Record<string, Target> = {
  ...Object.fromEntries(
    Object.entries(EXPECTED).flatMap(([name, expect]) =>
      CODINGS.map((coding) => [
        `${name} ${coding}`,
        { type: "HTTP", config: { url: url(`endless/${coding}`), expect, interval } },
      ]),
    ),
  ),
  websocket: { type: "HTTP", config: { url: url("endless/websocket"), protocol: "websocket", interval } },
  smtp: { type: "TCP", config: { host: "127.0.0.1", port: mailPort, protocol: "smtp", interval } },
  text: { type: "TCP", config: { host: "127.0.0.1", port: mailPort, contains: "never there", interval } },
};
const healthy: Target[] = Array.from({ length: healthyCount }, (_, at) => {
  const coding = CODINGS[at % CODINGS.length];
  const expect = { json: { "$.ok": true }, complete: true };
  return { type: "HTTP", config: { url: url(`small/${coding}`), expect, interval } };
});

console.log(
  `${count} monitors of each kind of endless answer at ${interval} s, beside ${healthyCount} healthy ones, ${seconds} s each`,
);
const binaries = [resolve("dist/stillup"), ...(values.against ? [resolve(values.against)] : [])];
const only = values.only?.split(",");
for (const [kind, one] of Object.entries(kinds)) {
  if (only && !only.includes(kind)) continue;
  for (const binary of binaries) console.log(`${kind.padEnd(16)} ${await measure(binary, one)}`);
}
await target.stop();

async function measure(binary: string, one: Target): Promise<string> {
  using store = await createStore([...healthy, ...Array(count).fill(one)]);
  using empty = await createStore([]);
  const idle = await idleMemory(binary, empty.folder);
  const { pid, stop } = await serveWith(binary, store.folder, "--log-level", "error");
  const [from, cpu] = [Date.now(), cpuTime(pid)];
  let most = 0;
  while (Date.now() < from + seconds * 1000) {
    most = Math.max(most, memory(pid));
    await Bun.sleep(100);
  }
  const used = (cpuTime(pid) - cpu) / (Date.now() - from);
  await stop();
  const rows = store.results(from);
  const good = rows.filter(({ monitor }) => monitor <= healthyCount);
  const wrong = good.filter(({ status }) => status !== "up").map(reasonOf);
  const reasons = Object.entries(
    Object.groupBy(
      rows.filter(({ monitor }) => monitor > healthyCount),
      reasonOf,
    ),
  );
  const seen = reasons.map(([reason, all]) => `${reason} ${all?.length}`).join(", ");
  return `${binary === binaries[0] ? "this " : "other"} ${(most - idle).toFixed(0)} MB above idle (${idle.toFixed(0)}); healthy: ${good.length} checks, late by up to ${longestDelay(good, from).toFixed(1)} s, not "up" ${wrong.length}${wrong.length > 0 ? ` (${[...new Set(wrong)]})` : ""}; ${(100 * used).toFixed(0)} % of a core; endless: ${seen || "no result"}`;
}

async function idleMemory(binary: string, folder: string): Promise<number> {
  const { pid, stop } = await serveWith(binary, folder, "--log-level", "error");
  await Bun.sleep(2000);
  const idle = memory(pid);
  await stop();
  return idle;
}

function reasonOf({ status, detail }: StoredResult): string {
  return String(detail?.reason ?? status);
}

/** In seconds. The first check of a monitor is due at once, and the last one may be missing at the end. */
function longestDelay(good: StoredResult[], from: number): number {
  const end = from + seconds * 1000;
  const gaps = Object.values(Object.groupBy(good, ({ monitor }) => monitor)).flatMap((rows = []) => {
    const times = [...rows.map(({ createdAt }) => createdAt), end];
    return times.map((at, index) => at - (times[index - 1] ?? from) - interval * 1000);
  });
  return Math.max(0, ...gaps) / 1000;
}
