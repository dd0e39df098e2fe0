import { type BenchCluster, createNodesDatabase } from "../support/cluster.ts";
import { median, quantiles, spread } from "../support/figures.ts";
import { type LoadResult, load } from "../support/load.ts";
import { createStore, type Running, serve } from "../support/processes.ts";

const MONITORS = 1000;
const CONNECTIONS = 128;

/** Check-ins a second that one node acknowledges, each after it is durable, in turns with the embedded database. */
export async function measureCheckins(
  cluster: BenchCluster,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  console.log(
    `\nCheck-ins over ${CONNECTIONS} connections, ${MONITORS} monitors, ${rounds} runs of ${seconds} s in turns; medians (least to most)`,
  );
  const given = Array.from({ length: MONITORS }, () => ({
    type: "SCHEDULED" as const,
    config: { interval: 300 },
  }));
  using store = await createStore(given);
  await using database = await createNodesDatabase(await cluster.createDatabase(), given);
  const subjects = [
    { name: "sqlite", ...store, server: await serve(store.folder, "--log-level", "warn") },
    { name: "postgres", ...database, server: await cluster.serve(database.url) },
  ].map((subject) => ({ ...subject, found: [] as (LoadResult & { perSecond: number })[] }));
  for (let round = 0; round < rounds; round++)
    for (const { server, key, ids, found } of subjects)
      found.push(await measure(server, { key, ids, seconds }));
  await Promise.all(subjects.map(({ server }) => server.stop()));
  const rates = subjects.map(({ name, found }) => {
    const perSecond = found.map((one) => one.perSecond);
    const latencies = found.flatMap((one) => one.latencies);
    console.log(`  ${name.padEnd(9)} ${spread(perSecond)} /s, ${quantiles(latencies)}`);
    return median(perSecond);
  });
  const [sqlite = 0, postgres = 0] = rates;
  const [row] = await database.query<{ count: string }>("SELECT count(*) FROM check_results");
  const answered = subjects[1]?.found.reduce((sum, one) => sum + one.answered, 0);
  console.log(
    `  ratio     ${(postgres / sqlite).toFixed(2)} x; ${answered} acknowledged, ${row?.count} stored`,
  );
}

async function measure(
  server: Running,
  { key, ids, seconds }: { key: string; ids: string[]; seconds: number },
): Promise<LoadResult & { perSecond: number }> {
  const pathOf = (at: number) => `/api/v1/monitors/${ids[at % ids.length]}/checkin`;
  const start = performance.now();
  const result = await load(server.said, { key, pathOf, connections: CONNECTIONS, duration: seconds });
  return { ...result, perSecond: result.answered / ((performance.now() - start) / 1000) };
}
