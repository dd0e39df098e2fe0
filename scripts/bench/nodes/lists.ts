import { createKey } from "../../../src/store/ids.ts";
import { openEngine } from "../../../src/store/postgres/driver.ts";
import { createStore } from "../../../src/store/store.ts";
import type { BenchCluster } from "../support/cluster.ts";
import { quantile } from "../support/figures.ts";
import { fillPostgresHistory } from "../support/postgres-history.ts";
import type { Running } from "../support/processes.ts";

const MONITORS = 1000;
const REQUESTS = 40;

const PATHS = {
  "monitors 90d": "monitors?range=90d",
  "monitors 30d": "monitors?range=30d",
  "monitors 7d": "monitors?range=7d",
  "monitors 1d": "monitors?range=1d",
  results: "monitors/monitor3/results?limit=200",
  report: "monitors/monitor3/report?range=90d",
  events: "events?limit=200",
  "events down": "events?limit=200&status=down",
  "events rare (5 rows)": "events?limit=200&status=degraded",
  status: "status",
};

/** Disk for each result, and response times of one node over the history of 90 days. */
export async function measureLists(cluster: BenchCluster, { results }: { results: number }): Promise<void> {
  console.log(
    `\n${results.toLocaleString("en")} results of ${MONITORS} monitors over 90 days; ${REQUESTS} requests of each kind, one after the other, in ms`,
  );
  const url = await cluster.createDatabase();
  const engine = await openEngine({ connectionString: url });
  await fillPostgresHistory(engine.connections, {
    monitors: MONITORS,
    results: results / MONITORS,
    now: Date.now(),
  });
  const [size] = await engine.connections.query<{ bytes: number; rows: number }>(
    `SELECT pg_database_size(current_database()) AS bytes,
       (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'check_results'::regclass) AS rows`,
  );
  console.log(
    `  ${((size?.bytes ?? 0) / results).toFixed(1)} bytes for each result, indexes, rollups and the empty database included, ${((size?.rows ?? 0) / results).toFixed(1)} without rollups`,
  );
  const store = createStore(engine);
  const [organization] = await store.organizations.list();
  const organizationId = organization?.id ?? "";
  const key = createKey();
  await store.organizations.update(organizationId, { plan: "enterprise", subscription: "active" });
  await store.apiKeys.create(
    { organizationId, name: "bench", role: "owner", expiresAt: null, key },
    Date.now(),
  );
  await store.close();
  const node = await cluster.serve(url);
  for (const [name, path] of Object.entries(PATHS)) {
    const times: number[] = [];
    for (let at = 0; at < REQUESTS; at++) times.push(await request(node, { key, path }));
    const [p50, p95, most] = [0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(1));
    console.log(`  ${name.padEnd(22)} p50 ${p50}, p95 ${p95}, max ${most}`);
  }
  await node.stop();
}

/** @returns milliseconds from the request to the whole answer */
async function request(node: Running, { key, path }: { key: string; path: string }): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`${node.said}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return performance.now() - start;
}
