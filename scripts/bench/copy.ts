/**
 * Speed of `stillup copy` in both directions: 90 days of 1,000 monitors from a data directory to PostgreSQL, and back. The
 * PostgreSQL server is one of the tests, on this machine and without fsync.
 *
 * copy.ts [--monitors N] [--results N of each monitor]
 */
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createCluster } from "../../test/support/store/postgres/cluster.ts";
import { fillHistory } from "./support/history.ts";
import { createFolder, createStore } from "./support/processes.ts";

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "1000" },
    results: { type: "string", default: "10000" },
  },
});
const [monitors, results] = [Number(values.monitors), Number(values.results)];

const config = { url: "http://127.0.0.1:1/", interval: 86_400 };
using store = await createStore(Array.from({ length: monitors }, () => ({ type: "HTTP", config })));
console.log(`Writing ${(monitors * results).toLocaleString("en")} results of ${monitors} monitors …`);
fillHistory(store.folder, { monitors, results });
const cluster = await createCluster({ shared_buffers: "'256MB'", max_wal_size: "'4GB'" });
using folder = createFolder();
try {
  const back = join(folder.path, "back");
  await copy(store.folder, cluster.url("postgres"));
  await copy(cluster.url("postgres"), back);
} finally {
  cluster.end();
}

/** Runs the compiled binary and prints how long it took. */
async function copy(from: string, to: string): Promise<void> {
  const began = performance.now();
  const child = Bun.spawn(["dist/stillup", "copy", "--from", from, "--to", to], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error("the copy failed");
  const seconds = (performance.now() - began) / 1000;
  const memory = (child.resourceUsage()?.maxRSS ?? 0) / 1024 / 1024;
  const speed = Math.round((monitors * results) / seconds).toLocaleString("en");
  console.log(
    `${seconds.toFixed(0)} s, ${speed} results/s, ${memory.toFixed(0)} MB of memory; load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores\n`,
  );
}
