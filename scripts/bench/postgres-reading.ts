/**
 * Response times of the lists, pages and reports of a large PostgreSQL database, measured at the queries. The first call
 * of each kind is "cold": nothing is cached in this process.
 *
 * postgres-reading.ts --url URL of an empty database [--monitors N] [--results N of each monitor] [--rounds N] [--filled]
 */
import { parseArgs } from "node:util";
import { resultId } from "../../src/store/ids.ts";
import { type Connections, openConnections } from "../../src/store/postgres/connections.ts";
import { migrate } from "../../src/store/postgres/migrate.ts";
import { readingQueries } from "../../src/store/postgres/queries/reading.ts";
import { quantile } from "./support/figures.ts";
import { fillPostgresHistory } from "./support/postgres-history.ts";

const { values } = parseArgs({
  options: {
    url: { type: "string" },
    monitors: { type: "string", default: "1000" },
    results: { type: "string", default: "10000" },
    rounds: { type: "string", default: "40" },
    filled: { type: "boolean", default: false },
  },
});
if (!values.url) throw new Error("--url is missing");

const connections = openConnections({ connectionString: values.url });
if (!values.filled) {
  await migrate(connections);
  const [monitors, results] = [Number(values.monitors), Number(values.results)];
  await fillPostgresHistory(connections, { monitors, results, now: Date.now() });
}
const now = await latestTime(connections);
const { monitors, results } = readingQueries(connections);
const listed = async (slices: AsyncGenerator<unknown[]>) => {
  for await (const _ of slices);
};
const list = (range: "1d" | "7d" | "90d") => listed(monitors.list("bench", { type: undefined, range }, now));
const id = "monitor3";
const deep = { limit: 200, cursor: resultId((await lastNumber(connections)) >> 1) };

await measure("list 90d", () => list("90d"));
await measure("list 7d", () => list("7d"));
await measure("list 1d", () => list("1d"));
await measure("overview", () => listed(monitors.listSnapshots("bench", { range: "90d", now })));
await measure("worst 12", () => monitors.findWorst("bench", { range: "90d", now, most: 12 }));
await measure("results", () => results.list("bench", { monitorId: id, limit: 200 }));
await measure("results, deep", () => results.list("bench", { monitorId: id, ...deep }));
await measure("events", () => results.listEvents("bench", { limit: 200 }));
await measure("events, deep", () => results.listEvents("bench", deep));
await measure("events up", () => results.listEvents("bench", { limit: 200, status: "up" }));
await measure("events down", () => results.listEvents("bench", { limit: 200, status: "down" }));
await measure("events rare", () => results.listEvents("bench", { limit: 200, status: "degraded" }));
await measure("events rare, deep", () => results.listEvents("bench", { ...deep, status: "degraded" }));
await measure("events none", () => results.listEvents("bench", { limit: 200, status: "expired" }));
await measure("report 1d", () => monitors.findReport("bench", { id, range: "1d" }, now));
await measure("report 90d", () => monitors.findReport("bench", { id, range: "90d" }, now));
await connections.close();

async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round <= Number(values.rounds); round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  const [cold = 0, ...warm] = times;
  const [p50, p95, most] = [0.5, 0.95, 1].map((share) => quantile(warm, share).toFixed(1));
  console.log(`${name.padEnd(18)} p50 ${p50}, p95 ${p95}, max ${most} ms; cold ${cold.toFixed(1)}`);
}

async function latestTime({ query }: Connections): Promise<number> {
  const [row] = await query<{ at: number }>("SELECT max(last_result_at) AS at FROM monitor_states");
  return row?.at ?? Date.now();
}

async function lastNumber({ query }: Connections): Promise<number> {
  const [row] = await query<{ last: number }>("SELECT last_value AS last FROM check_results_pk");
  return row?.last ?? 0;
}
