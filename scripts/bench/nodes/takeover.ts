import { join } from "node:path";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import { type BenchCluster, createNodesDatabase } from "../support/cluster.ts";
import { quantile } from "../support/figures.ts";
import { createFolder, startTarget } from "../support/processes.ts";

const INTERVAL = 20_000;
const MONITORS = 2000;

/** Kills one of three nodes again and again: how late the checks are that it had claimed. */
export async function measureTakeover(cluster: BenchCluster, { kills }: { kills: number }): Promise<void> {
  console.log(
    `\n${MONITORS} HTTP monitors at ${INTERVAL / 1000} s, timeout 10 s, three nodes, one killed ${kills} times`,
  );
  using folder = createFolder();
  const seenFile = join(folder.path, "seen.json");
  // Slow answers, so that a killed node has checks under way.
  const target = await startTarget("--delay", "1000", "--seen", seenFile);
  const given = Array.from({ length: MONITORS }, (_, at) => ({
    type: "HTTP" as const,
    config: { url: `http://127.0.1.${1 + (at % 64)}:${target.said}/${at}`, interval: INTERVAL / 1000 },
  }));
  await using database = await createNodesDatabase(await cluster.createDatabase(), given);
  const nodes = await Promise.all([1, 2, 3].map(() => cluster.serve(database.url)));
  await Bun.sleep(2 * INTERVAL);
  const killedAt: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const victim = nodes.shift();
    killedAt.push(Date.now());
    victim?.kill();
    await Bun.sleep(2 * INTERVAL);
    nodes.push(await cluster.serve(database.url));
    await Bun.sleep(INTERVAL / 2);
  }
  await Bun.sleep(INTERVAL);
  await Promise.all(nodes.map((node) => node.stop()));
  await target.stop();
  const seen: [path: number, at: number][] = await Bun.file(seenFile).json();
  const byPath = Map.groupBy(seen, ([path]) => path);
  const late: number[] = [];
  for (const at of killedAt) {
    for (const [path, checks] of byPath) {
      const times = checks.map(([, time]) => time);
      const last = Math.max(...times.filter((time) => time <= at + 1000));
      const next = Math.min(...times.filter((time) => time > at + 1000));
      // The answer comes one second after the check began.
      const due = nextCheckAt(database.ids[path] ?? "", INTERVAL / 1000, last - 1000);
      if (next - 1000 - due > 500) late.push(next - 1000 - due);
    }
  }
  const seconds = (share: number) => (quantile(late, share) / 1000).toFixed(1);
  console.log(
    `  ${late.length} checks came more than 0.5 s late: p50 ${seconds(0.5)} s, p99 ${seconds(0.99)} s, max ${seconds(1)} s`,
  );
}
