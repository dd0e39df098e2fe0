/**
 * Speed, memory and disk of `stillup copy` from a data directory to PostgreSQL, and back. The PostgreSQL server is one of the tests,
 * on this machine and without fsync. Most results of a database are packed: with --packed, these are HTTPS checks at 60 s, all of
 * them over for days.
 *
 * copy.ts [--monitors N] [--results N of each monitor] [--packed DAYS] [--from DATA-DIRECTORY instead] [--binary BINARY]
 */
import { readdirSync, statSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { dayOf } from "../../src/domain/results/rollup.ts";
import { openConnections } from "../../src/store/postgres/connections.ts";
import { createPacking } from "../../src/store/postgres/housekeeping/pack-days.ts";
import { closeDatabase, openDatabase } from "../../src/store/sqlite/open.ts";
import type { Sealing } from "../../src/store/store.ts";
import { createCluster } from "../../test/support/store/postgres/cluster.ts";
import { fillHistory } from "./support/history.ts";
import { HttpsMonitors } from "./support/https-monitors.ts";
import { createFolder, createStore } from "./support/processes.ts";

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "1000" },
    results: { type: "string", default: "10000" },
    packed: { type: "string" },
    from: { type: "string" },
    binary: { type: "string", default: resolve("dist/stillup") },
  },
});
const monitors = Number(values.monitors);
const results = values.packed ? Number(values.packed) * 1440 : Number(values.results);
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

const config = { url: "http://127.0.0.1:1/", interval: 86_400 };
using store = await createStore(
  Array.from({ length: values.packed || values.from ? 1 : monitors }, () => ({ type: "HTTP", config })),
);
if (!values.from)
  console.log(`Writing ${(monitors * results).toLocaleString("en")} results of ${monitors} monitors …`);
if (values.packed) fillPacked(Number(values.packed));
else if (!values.from) fillHistory(store.folder, { monitors, results });
const cluster = await createCluster({ shared_buffers: "'256MB'", max_wal_size: "'4GB'" });
using folder = createFolder();
try {
  const back = join(folder.path, "back");
  const from = values.from ?? store.folder;
  await copy(from, cluster.url("postgres"));
  console.log(`${megabytes(from)} MB became ${await sizeOfTables()} MB on PostgreSQL`);
  if (values.packed || values.from) await pack();
  await copy(cluster.url("postgres"), back);
  console.log(`which became ${megabytes(back)} MB`);
} finally {
  cluster.end();
}

function fillPacked(days: number): void {
  const db = openDatabase(store.folder);
  const written = new HttpsMonitors(monitors, dayOf(Date.now()) - (days + 5) * DAY);
  for (let day = 0; day < days; day++) written.writePackedDay(db);
  db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  closeDatabase(db);
}

/** Packs what a copy has unpacked. */
async function pack(): Promise<void> {
  const connections = openConnections(cluster.config("postgres"));
  const seal = createPacking(connections);
  for (const before of [Date.now(), Date.now() + HOUR]) {
    let sealing: Sealing | null = null;
    do sealing = await seal(before, sealing);
    while (sealing);
  }
  await connections.close();
}

async function sizeOfTables(): Promise<string> {
  const connections = openConnections(cluster.config("postgres"));
  const [size] = await connections.query<{ bytes: number }>(
    "SELECT pg_database_size(current_database()) AS bytes",
  );
  await connections.close();
  return ((size?.bytes ?? 0) / 1e6).toFixed(0);
}

function megabytes(dir: string): string {
  const sizes = readdirSync(dir).map((name) => statSync(join(dir, name)).size);
  return (sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(0);
}

/** Runs the compiled binary and prints how long it took. */
async function copy(from: string, to: string): Promise<void> {
  const began = performance.now();
  const child = Bun.spawn([values.binary, "copy", "--from", from, "--to", to], {
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
