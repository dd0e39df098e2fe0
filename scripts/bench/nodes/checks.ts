import { type BenchCluster, clusterCpuTime, createNodesDatabase } from "../support/cluster.ts";
import { median, spread } from "../support/figures.ts";
import { cpuTime, createStore, type Running, serve, startTarget } from "../support/processes.ts";

/** Due checks a second of a saturated node. */
const MONITORS = 15_000;
const WARM_UP = 4000;
/** Addresses of 127.0.0.0/8, because one address runs out of ports after 28,000 connections within a minute. */
const ADDRESSES = 64;

interface Figures {
  perSecond: number;
  /** Milliseconds of processor time for each check. */
  server: number;
  database: number;
}

/** Recorded HTTP checks a second of one node, saturated, in turns with the embedded database. */
export async function measureChecks(
  cluster: BenchCluster,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  console.log(
    `\nHTTP checks of one node, ${MONITORS} due a second, ${rounds} runs of ${seconds} s in turns; medians (least to most)`,
  );
  const target = await startTarget();
  const configs = Array.from({ length: MONITORS }, (_, at) => ({
    url: `http://127.0.1.${1 + (at % ADDRESSES)}:${target.said}/${at}`,
    interval: 1,
  }));
  const given = configs.map((config) => ({ type: "HTTP" as const, config }));
  const found = { sqlite: [] as Figures[], postgres: [] as Figures[] };
  for (let round = 0; round < rounds; round++) {
    found.sqlite.push(await onSqlite(given, seconds));
    found.postgres.push(await onPostgres(cluster, given, seconds));
  }
  await target.stop();
  for (const [name, figures] of Object.entries(found)) {
    const of = (field: keyof Figures, digits: number) =>
      spread(
        figures.map((one) => one[field]),
        digits,
      );
    console.log(
      `  ${name.padEnd(9)} ${of("perSecond", 0)} checks/s, CPU per check: node ${of("server", 3)} ms, database ${of("database", 3)} ms`,
    );
  }
  const rate = (figures: Figures[]) => median(figures.map(({ perSecond }) => perSecond));
  console.log(`  ratio     ${(rate(found.postgres) / rate(found.sqlite)).toFixed(2)} x the checks`);
}

type Given = Parameters<typeof createStore>[0];

async function onSqlite(given: Given, seconds: number): Promise<Figures> {
  using store = await createStore(given);
  const server = await serve(store.folder, "--log-level", "warn");
  const count = async () =>
    store.query<{ count: number }>("SELECT count(*) AS count FROM check_results")[0]?.count ?? 0;
  // Awaited, because the store must stay open until the end.
  return await measure(server, { count, cpu: () => 0, seconds });
}

async function onPostgres(cluster: BenchCluster, given: Given, seconds: number): Promise<Figures> {
  await using database = await createNodesDatabase(await cluster.createDatabase(), given);
  const server = await cluster.serve(database.url);
  const count = async () =>
    Number((await database.query<{ count: string }>("SELECT count(*) FROM check_results"))[0]?.count);
  return await measure(server, { count, cpu: () => clusterCpuTime(cluster.pid), seconds });
}

async function measure(
  server: Running,
  { count, cpu, seconds }: { count: () => Promise<number>; cpu: () => number; seconds: number },
): Promise<Figures> {
  await Bun.sleep(WARM_UP);
  const [start, before, serverBefore, databaseBefore] = [
    performance.now(),
    await count(),
    cpuTime(server.pid),
    cpu(),
  ];
  await Bun.sleep(seconds * 1000);
  const [serverUsed, databaseUsed] = [cpuTime(server.pid) - serverBefore, cpu() - databaseBefore];
  const checks = (await count()) - before;
  const perSecond = checks / ((performance.now() - start) / 1000);
  await server.stop();
  return { perSecond, server: serverUsed / checks, database: databaseUsed / checks };
}
