/**
 * Cost of packed results on PostgreSQL: HTTPS checks at 60 s with all phases. Days are written as rows, and packed as a node does.
 * The same run reads rows and segments.
 *
 * packed-days.ts [--monitors N] [--days N]
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { dayOf } from "../../src/domain/results/rollup.ts";
import { type Connections, openConnections } from "../../src/store/postgres/connections.ts";
import { createPacking } from "../../src/store/postgres/housekeeping/pack-days.ts";
import { migrate } from "../../src/store/postgres/migrate.ts";
import { createPartitions } from "../../src/store/postgres/partitions.ts";
import { arraysOf } from "../../src/store/postgres/values.ts";
import type { Sealing } from "../../src/store/store.ts";
import { clusterCpuTime, startBenchCluster } from "./support/cluster.ts";
import { HttpsMonitors } from "./support/https-monitors.ts";
import { measurePages } from "./support/result-pages.ts";

const { values } = parseArgs({
  options: { monitors: { type: "string", default: "300" }, days: { type: "string", default: "2" } },
});
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

await using cluster = await startBenchCluster();
const connections = openConnections({ connectionString: await cluster.createDatabase() });
await migrate(connections);
const monitors = new HttpsMonitors(Number(values.monitors));
await connections.query("INSERT INTO deleted_monitors SELECT generate_series(1, $1::integer)", [
  monitors.pks.length,
]);
const written = await measured(async () => {
  for (let hour = 0; hour < 24 * Number(values.days); hour++) await writeHour(connections);
});
await connections.query("VACUUM ANALYZE");
await report("rows", "check_results");
const reads = {
  newestResults: (
    ...of: Parameters<typeof measurePages>[0]["newestResults"] extends (...rest: infer R) => unknown
      ? R
      : never
  ) => connections.read((tx) => tx.reads.newestResults(...of)),
};
await measurePages(reads, monitors, "rows");
const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();
const packed = await measured(pack);
loop.disable();
await report("segments", "result_segments");
await measurePages(reads, monitors, "segments");
console.log(`processor for a result, in microseconds (node; database): ${written} to write a row alone, ${packed} to pack it
longest pause of the event loop while packing: ${(loop.max / 1e6).toFixed(1)} ms, p99 ${(loop.percentile(99) / 1e6).toFixed(1)} ms`);
await connections.close();

async function writeHour({ transaction }: Connections): Promise<void> {
  const rows = monitors.nextHour();
  await createPartitions(connections, [...new Set(rows.map(({ createdAt }) => dayOf(createdAt)))]);
  await transaction(async ({ query }) => {
    for (let at = 0; at < rows.length; at += 1000) {
      const some = rows.slice(at, at + 1000);
      await query(
        `INSERT INTO check_results (created_at, monitor_pk, detail_pk, status, timings)
         SELECT * FROM unnest($1::bigint[], $2::integer[], $3::bigint[], $4::smallint[], $5::bytea[])`,
        arraysOf(some, ["createdAt", "monitorPk", "detailPk", "status", "timings"]),
      );
    }
    await query(
      `INSERT INTO daily_rollups (monitor_pk, start, location, status, count, latency_count, latency_sum, latency_squares)
       SELECT monitor_pk, created_at / $1 * 24, 0, status, count(*), 0, 0, 0
       FROM unnest($2::integer[], $3::bigint[], $4::smallint[]) AS added (monitor_pk, created_at, status) GROUP BY 1, 2, 4
       ON CONFLICT (monitor_pk, start, location, status) DO UPDATE SET count = daily_rollups.count + excluded.count`,
      [DAY, ...arraysOf(rows, ["monitorPk", "createdAt", "status"])],
    );
  });
}

async function pack(): Promise<void> {
  const seal = createPacking(connections);
  for (const before of [monitors.now + 3 * DAY, monitors.now + 3 * DAY + HOUR]) {
    let sealing: Sealing | null = null;
    do sealing = await seal(before, sealing);
    while (sealing);
  }
}

/** @returns the processor time for each result, of this process and of the database */
async function measured(work: () => Promise<void>): Promise<string> {
  const [own, database] = [process.cpuUsage(), clusterCpuTime(cluster.pid)];
  await work();
  const { user, system } = process.cpuUsage(own);
  const ofDatabase = (clusterCpuTime(cluster.pid) - database) * 1000;
  return [user + system, ofDatabase].map((one) => (one / monitors.written).toFixed(2)).join("; ");
}

async function report(kind: string, table: string): Promise<void> {
  const [size] = await connections.query<{ bytes: number; data: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(relid)), 0) AS bytes,
       (SELECT coalesce(sum(length(data)), 0) FROM result_segments) AS data
     FROM pg_partition_tree($1::regclass) WHERE isleaf`,
    [table],
  );
  if (!size) return;
  console.log(
    `${kind}: ${monitors.written.toLocaleString("en")} results, ${(size.bytes / monitors.written).toFixed(2)} bytes for each, ${(size.data / monitors.written).toFixed(2)} of them packed data`,
  );
}
