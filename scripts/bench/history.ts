/**
 * Cost of 90 days of 1,000 monitors: bytes on disk for each result, and response times of the API. For comparison,
 * the same run measures the disk.
 *
 * history.ts [--monitors N] [--results N of each monitor] [--requests N of each kind]
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { quantile, quantiles } from "./support/figures.ts";
import { fillHistory, rawSpeed } from "./support/history.ts";
import { createStore, memory, serve, startTarget } from "./support/processes.ts";

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "1000" },
    results: { type: "string", default: "10000" },
    requests: { type: "string", default: "40" },
  },
});
const [monitors, results, requests] = [
  Number(values.monitors),
  Number(values.results),
  Number(values.requests),
];
const MB = 1024 * 1024;

const config = { url: "http://127.0.0.1:1/", interval: 86_400 };
using store = await createStore(Array.from({ length: monitors }, () => ({ type: "HTTP", config })));
console.log(
  `Writing ${(monitors * results).toLocaleString("en")} results of ${monitors} monitors over 90 days …`,
);
fillHistory(store.folder, { monitors, results });
settleDisk();
const size = statSync(join(store.folder, "stillup.db")).size;
console.log(
  `${(size / MB).toFixed(0)} MB, ${(size / (monitors * results)).toFixed(1)} bytes for each result, indexes and rollups included`,
);
const { grouped, single } = rawSpeed(store.folder);
console.log(
  `raw: ${grouped.toFixed(0)} rows/s in groups of 100 with a sync each, ${single.toFixed(0)} one by one\n`,
);

const began = performance.now();
const server = await serve(store.folder, "--log-level", "warn");
console.log(`start to listening: ${(performance.now() - began).toFixed(0)} ms`);

const target = await startTarget();
const probed: string[] = [];
for (let at = 0; at < 20; at++) {
  const probe = {
    name: `probe ${at}`,
    type: "HTTP",
    config: { url: `http://127.0.0.1:${target.said}/`, interval: 1 },
  };
  probed.push((await request("POST", "monitors", probe)).body.data.id);
}
await Bun.sleep(10_000);
const quiet = await probeLatencies(Date.now() - 8000);
const since = Date.now();
console.log(
  `\n${requests} requests of each kind, one after the other; milliseconds from request to whole answer\n`,
);
for (const [name, path] of [
  ["monitors 90d", "monitors?range=90d"],
  ["monitors 30d", "monitors?range=30d"],
  ["monitors 7d", "monitors?range=7d"],
  ["monitors 1d", "monitors?range=1d"],
  ["results", `monitors/${store.ids[3]}/results?limit=200`],
  ["events", "events?limit=200"],
  ["events HTTP", "events?limit=200&type=HTTP"],
  ["events up", "events?limit=200&status=up"],
  ["events down", "events?limit=200&status=down"],
  ["events rare (5 rows)", "events?limit=200&status=degraded"],
  ["events no match", "events?limit=200&status=missing"],
  ["status", "status"],
] as const) {
  const times: number[] = [];
  for (let at = 0; at < requests; at++) times.push((await request("GET", path)).time);
  console.log(
    `${name.padEnd(22)} p50 ${quantile(times, 0.5).toFixed(1)}, p95 ${quantile(times, 0.95).toFixed(1)}, max ${quantile(times, 1).toFixed(1)}`,
  );
}
console.log(`\nlatency of 20 probes a second, quiet:     ${quantiles(quiet)}`);
console.log(`the same while those requests were made:  ${quantiles(await probeLatencies(since))}`);

await measureDeletion();
console.log(`resident memory: ${memory(server.pid).toFixed(0)} MB`);
await server.stop();
await target.stop();

/** Adds a million results to the oldest monitor and deletes it. */
async function measureDeletion(): Promise<void> {
  store.query(`INSERT INTO check_results (monitor_pk, status, detail_pk, created_at)
    WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1000000)
    SELECT 1, 1, 1, ${Date.now()} FROM n`);
  store.query("PRAGMA wal_checkpoint(TRUNCATE)");
  settleDisk();
  const { time } = await request("DELETE", `monitors/${store.ids[0]}`);
  const gone = (await request("GET", `monitors/${store.ids[0]}/results`)).status;
  console.log(
    `\ndeleting a monitor with a million results: answered in ${time.toFixed(1)} ms, then ${gone} for its results`,
  );
}

/** Syncs the writes of the benchmark, so that no sync of the server waits for them. */
function settleDisk(): void {
  Bun.spawnSync(["sync"]);
}

async function probeLatencies(after: number): Promise<number[]> {
  const all: number[] = [];
  for (const id of probed) {
    const { body } = await request("GET", `monitors/${id}/results?limit=200`);
    for (const { latencyMs, createdAt } of body.data as { latencyMs: number; createdAt: string }[]) {
      if (Date.parse(createdAt) >= after) all.push(latencyMs);
    }
  }
  return all;
}

async function request(method: string, path: string, body?: object) {
  const start = performance.now();
  const response = await fetch(`${server.said}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${store.key}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { time: performance.now() - start, status: response.status, body: JSON.parse(text) };
}
