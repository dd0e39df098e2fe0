import { join } from "node:path";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import { type BenchCluster, clusterCpuTime, createNodesDatabase } from "../support/cluster.ts";
import { quantiles } from "../support/figures.ts";
import { cpuTime, createFolder, startTarget } from "../support/processes.ts";

const INTERVAL = 60_000;

/** Many monitors at 60 s on two nodes: lateness of each check at the target, lost and repeated slots, processor time. */
export async function measureLateness(
  cluster: BenchCluster,
  { monitors, seconds }: { monitors: number; seconds: number },
): Promise<void> {
  console.log(`\n${monitors} HTTP monitors at 60 s on two nodes, ${seconds} s after the first minute`);
  using folder = createFolder();
  const seenFile = join(folder.path, "seen.json");
  const target = await startTarget("--seen", seenFile);
  const given = Array.from({ length: monitors }, (_, at) => ({
    type: "HTTP" as const,
    config: { url: `http://127.0.1.${1 + (at % 64)}:${target.said}/${at}`, interval: INTERVAL / 1000 },
  }));
  await using database = await createNodesDatabase(await cluster.createDatabase(), given);
  const nodes = [await cluster.serve(database.url), await cluster.serve(database.url)];
  // The overdue checks of the start are spread, and each monitor then has its slot.
  await Bun.sleep(INTERVAL + 10_000);
  const from = Date.now();
  const cpus = () => [...nodes.map(({ pid }) => cpuTime(pid)), clusterCpuTime(cluster.pid)];
  const before = cpus();
  const own: number[] = [];
  while (Date.now() < from + seconds * 1000) {
    const start = performance.now();
    await Bun.sleep(100);
    own.push(performance.now() - start - 100);
  }
  const to = Date.now();
  const used = cpus().map((cpu, at) => (100 * (cpu - (before[at] ?? 0))) / (to - from));
  await Bun.sleep(2000);
  const [row] = await database.query<{ count: string; bad: string }>(
    `SELECT count(*), count(*) FILTER (WHERE status <> 1) AS bad FROM check_results WHERE created_at >= ${from} AND created_at < ${to}`,
  );
  await Promise.all(nodes.map((node) => node.stop()));
  await target.stop();
  const seen: [path: number, at: number][] = await Bun.file(seenFile).json();
  const measured = seen.filter(([, at]) => at >= from && at < to);
  const slotOf = (path: number, at: number) =>
    nextCheckAt(database.ids[path] ?? "", INTERVAL / 1000, at) - INTERVAL;
  const lateness = measured.map(([path, at]) => at - slotOf(path, at));
  const slots = measured.map(([path, at]) => `${path} ${slotOf(path, at)}`);
  const expected = database.ids.reduce(
    (sum, _, path) => sum + (slotOf(path, to - 1) - slotOf(path, from - 1)) / INTERVAL,
    0,
  );
  console.log(
    `  lateness at the target: ${quantiles(lateness, 1)}; of 100 ms timers of this program: ${quantiles(own, 1)}`,
  );
  console.log(
    `  slots ${expected}, requests ${slots.length}, twice in a slot ${slots.length - new Set(slots).size}, recorded ${row?.count}, not "up" ${row?.bad}`,
  );
  const [one = 0, other = 0, postgres = 0] = used;
  console.log(
    `  CPU: nodes ${one.toFixed(1)} and ${other.toFixed(1)} % of a core, database ${postgres.toFixed(1)} %, ${((postgres * (to - from)) / 100 / measured.length).toFixed(3)} ms per check`,
  );
}
