import { openStore } from "../../../src/store/open-store.ts";
import { type BenchCluster, clusterCpuTime, createNodesDatabase } from "../support/cluster.ts";

const MONITORS = 20_000;
const INTERVAL = 60_000;
const HOUR = 60 * INTERVAL;
const CLAIMANT = { node: 1, place: 0, nodes: 1 };

interface Share {
  name: string;
  bytes: string;
  pages: string;
}

/** Bytes of the log (WAL) by table or index and kind, without full pages, which are counted apart. */
const SHARES = `SELECT name, sum(bytes) AS bytes, sum(pages) AS pages FROM (
    SELECT coalesce((SELECT relname FROM pg_class
        WHERE relfilenode = substring(block_ref from 'rel \\d+/\\d+/(\\d+)')::oid), '-')
      || ' ' || resource_manager || ' ' || record_type AS name,
      record_length - fpi_length AS bytes, fpi_length AS pages
    FROM pg_get_wal_records_info($1, $2)) AS records
  GROUP BY name ORDER BY bytes DESC LIMIT 20`;

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
  // Within an hour of the rollups.
  let now = (Math.floor(Date.now() / HOUR) + 1) * HOUR + 10 * INTERVAL;
  let random = 1;
  const latency = () => {
    random = (random * 48271) % 2147483647;
    return 20 + 30 * (random / 2147483647) ** 4;
  };
  async function check(before: number): Promise<number> {
    const slots = await store.checks.listDueSlots(CLAIMANT, { now, before });
    let checks = 0;
    for (let at = 0; at < slots.length; at += group) {
      const due = await store.checks.claim(slots.slice(at, at + group), CLAIMANT, now);
      const recorded = await store.recording.record(
        due.map(({ id, claim, revision, nextCheckAt }) => {
          const latencyMs = latency();
          const phases = { connect: 0.4 * latencyMs, firstByte: 0.6 * latencyMs };
          return {
            ...{ kind: "check", monitorId: id, claim, revision, startAt: Math.max(now, nextCheckAt) },
            evidence: { outcome: "reached", latencyMs, detail: { statusCode: 200, phases } },
            at: Math.round(Math.max(now, nextCheckAt) + latencyMs),
          } as const;
        }),
      );
      checks += recorded.filter((one) => one !== null).length;
    }
    return checks;
  }
  await check(now + 1);
  const step = (INTERVAL * group) / MONITORS;
  const run = async (minutes: number) => {
    let checks = 0;
    for (const end = now + minutes * INTERVAL; now < end; now += step) checks += await check(now + step);
    return checks;
  };
  await run(2);
  await database.query("CHECKPOINT");
  const position = async () =>
    (await database.query<{ at: string }>("SELECT pg_current_wal_flush_lsn() AS at"))[0]?.at ?? "";
  const [from, cpu, own] = [await position(), clusterCpuTime(cluster.pid), process.cpuUsage()];
  const checks = await run(3);
  const to = await position();
  const [used, node] = [clusterCpuTime(cluster.pid) - cpu, process.cpuUsage(own)];
  const shares = await database.query<Share>(SHARES.replace("$1", `'${from}'`).replace("$2", `'${to}'`));
  const total = (field: "bytes" | "pages") => shares.reduce((sum, one) => sum + Number(one[field]), 0);
  console.log(
    `\ngroups of ${group}: ${checks} checks; database ${(used / checks).toFixed(4)} ms a check, node ${((node.user + node.system) / 1000 / checks).toFixed(4)} ms; log ${(total("bytes") / checks).toFixed(0)} bytes a check without full pages (${(total("pages") / checks).toFixed(0)})`,
  );
  for (const { name, bytes } of shares.slice(0, 14))
    console.log(`  ${(Number(bytes) / checks).toFixed(1).padStart(7)}  ${name}`);
  await store.close();
}
