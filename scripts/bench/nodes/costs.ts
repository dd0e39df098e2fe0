import { openStore } from "../../../src/store/open-store.ts";
import type { DueMonitor, Store } from "../../../src/store/store.ts";
import { type BenchCluster, clusterCpuTime, createNodesDatabase } from "../support/cluster.ts";

const MONITORS = 20_000;
const INTERVAL = 60_000;
const HOUR = 60 * INTERVAL;
const NODE = { node: 1, place: 0, nodes: 1 };

interface Share {
  name: string;
  bytes: string;
  pages: string;
}

/** Bytes of the log (WAL) by table or index and kind of record, and the bytes of its full pages. */
const SHARES = `SELECT name, sum(bytes) AS bytes, sum(pages) AS pages FROM (
    SELECT coalesce((SELECT relname FROM pg_class
        WHERE relfilenode = substring(block_ref from 'rel \\d+/\\d+/(\\d+)')::oid), '-')
      || ' ' || resource_manager || ' ' || record_type AS name,
      record_length - fpi_length AS bytes, fpi_length AS pages
    FROM pg_get_wal_records_info('FROM', 'TO')) AS records
  GROUP BY name ORDER BY bytes DESC`;

/** How many shares are shown. */
const SHOWN = 14;

/** Processor time and log of the database to list, claim and record checks in groups, on virtual time. */
export async function measureCosts(cluster: BenchCluster, { groups }: { groups: number[] }): Promise<void> {
  for (const group of groups) await measureGroup(cluster, group);
}

async function measureGroup(cluster: BenchCluster, group: number): Promise<void> {
  const given = Array.from({ length: MONITORS }, (_, at) => ({
    type: "HTTP" as const,
    config: { url: `http://192.0.2.1/${at}`, interval: INTERVAL / 1000 },
  }));
  await using database = await createNodesDatabase(await cluster.createDatabase(), given);
  await database.query("CREATE EXTENSION pg_walinspect");
  const store = await openStore({ dataDir: ".", databaseUrl: database.url });
  const run = createRun(store, group);
  // The first checks are all due at once.
  await run(3);
  await database.query("CHECKPOINT");
  const position = async () =>
    (await database.query<{ at: string }>("SELECT pg_current_wal_flush_lsn() AS at"))[0]?.at ?? "";
  const [from, cpu, own] = [await position(), clusterCpuTime(cluster.pid), process.cpuUsage()];
  const checks = await run(3);
  const to = await position();
  const [used, node] = [clusterCpuTime(cluster.pid) - cpu, process.cpuUsage(own)];
  const shares = await database.query<Share>(SHARES.replace("FROM'", `${from}'`).replace("TO'", `${to}'`));
  const total = (field: "bytes" | "pages") => shares.reduce((sum, one) => sum + Number(one[field]), 0);
  console.log(
    `\nlist, claim and record in groups of ${group}, on virtual time: ${checks} checks; each: database ${(used / checks).toFixed(4)} ms, node ${((node.user + node.system) / 1000 / checks).toFixed(4)} ms, log ${(total("bytes") / checks).toFixed(0)} bytes and full pages ${(total("pages") / checks).toFixed(0)}`,
  );
  for (const { name, bytes } of shares.slice(0, SHOWN))
    console.log(`  ${(Number(bytes) / checks).toFixed(1).padStart(6)}  ${name}`);
  await store.close();
}

/** @returns a function that checks the monitors that are due within some minutes, and says how many checks were recorded */
function createRun(store: Store, group: number): (minutes: number) => Promise<number> {
  const step = (INTERVAL * group) / MONITORS;
  // In the middle of an hour, because rollups change at its end.
  let now = (Math.floor(Date.now() / HOUR) + 1) * HOUR + 10 * INTERVAL;
  let seed = 1;
  const latency = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return 20 + 30 * (seed / 2_147_483_647) ** 4;
  };
  const outcomeOf = ({ id, claim, revision, nextCheckAt }: DueMonitor) => {
    const [startAt, latencyMs] = [Math.max(now, nextCheckAt), latency()];
    const phases = { connect: 0.4 * latencyMs, firstByte: 0.6 * latencyMs };
    const evidence = { outcome: "reached", latencyMs, detail: { statusCode: 200, phases } } as const;
    const at = Math.round(startAt + latencyMs);
    return { kind: "check", monitorId: id, claim, revision, startAt, at, evidence } as const;
  };
  return async (minutes) => {
    let checks = 0;
    for (const end = now + minutes * INTERVAL; now < end; now += step) {
      const slots = await store.checks.listDueSlots(NODE, { now, before: now + step });
      for (let at = 0; at < slots.length; at += group) {
        const due = await store.checks.claim(slots.slice(at, at + group), NODE, now);
        const recorded = await store.recording.record(due.map(outcomeOf));
        checks += recorded.filter((one) => one !== null).length;
      }
    }
    return checks;
  };
}
