/**
 * Cost of packed results on the embedded database: HTTPS checks at 60 s with all phases. Hour by hour, the results are written as
 * rows and then packed, as a server does. Then a long history is written as segments, with the same packing. For comparison, the
 * same run reads rows and segments, and measures the processor time of writing the rows.
 *
 * Latencies are log-normal with a drift, 1 % are outliers (3 to 20 times), 0.05 % of the checks fail.
 *
 * packing.ts [--monitors N] [--hours N] [--long-monitors N] [--days N of the long history] [--folder FOLDER]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Position, Selection } from "../../src/store/results/result-items.ts";
import { type Connections, openConnections } from "../../src/store/sqlite/connections.ts";
import { sealResults } from "../../src/store/sqlite/housekeeping/seal.ts";
import { readsOf } from "../../src/store/sqlite/results/reads.ts";
import type { Sealing } from "../../src/store/store.ts";
import { median } from "./support/figures.ts";
import { HttpsMonitors } from "./support/https-monitors.ts";

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "1000" },
    hours: { type: "string", default: "24" },
    "long-monitors": { type: "string", default: "100" },
    days: { type: "string", default: "90" },
    folder: { type: "string", default: tmpdir() },
  },
});
const HOUR = 60 * 60 * 1000;
const MB = 1024 * 1024;
const EVERY: Selection["statuses"] = ["up", "down", "degraded"];

await measure("packed hour by hour", async (connections) => {
  const monitors = new HttpsMonitors(connections.writer, Number(values.monitors));
  let [written, packed, longest] = [0, 0, 0];
  for (let hour = 0; hour < Number(values.hours); hour++) {
    written += cpuOf(() => monitors.writeHour());
    // So a page of rows is complete.
    if (hour === 0) await pages(connections, monitors, "rows");
    const before = process.cpuUsage();
    let sealing: Sealing | null = null;
    do {
      const began = performance.now();
      sealing = await sealResults(connections, monitors.now + HOUR, sealing);
      longest = Math.max(longest, performance.now() - began);
    } while (sealing);
    const { user, system } = process.cpuUsage(before);
    packed += user + system;
  }
  const results = monitors.written;
  console.log(
    `processor: ${(written / results).toFixed(2)} µs to write a row without its recording, ${(packed / results).toFixed(2)} µs to pack a result; longest transaction ${longest.toFixed(0)} ms`,
  );
  await pages(connections, monitors, "segments");
  return results;
});

await measure(`${values.days} days as segments`, async (connections) => {
  const monitors = new HttpsMonitors(connections.writer, Number(values["long-monitors"]));
  for (let day = 0; day < Number(values.days); day++) monitors.writePackedDay();
  await pages(connections, monitors, "segments");
  return monitors.written;
});

async function measure(name: string, work: (connections: Connections) => Promise<number>): Promise<void> {
  const folder = mkdtempSync(join(values.folder, "stillup-packing-"));
  const connections = openConnections(folder);
  const { $client } = connections.writer;
  const numberOf = (pragma: string) =>
    Object.values($client.query(`PRAGMA ${pragma}`).get() ?? {})[0] as number;
  const size = () => (numberOf("page_count") - numberOf("freelist_count")) * numberOf("page_size");
  const empty = size();
  console.log(`\n${name}`);
  const results = await work(connections);
  $client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const bytes = size() - empty;
  console.log(
    `disk: ${results.toLocaleString("en")} results, ${(bytes / MB).toFixed(0)} MB, ${(bytes / results).toFixed(2)} bytes for each`,
  );
  const data = $client
    .query<{ n: number; bytes: number }, []>(
      "SELECT count(*) AS n, sum(length(data)) AS bytes FROM result_segments",
    )
    .get() ?? { n: 0, bytes: 0 };
  const parts = $client
    .query<{ name: string; bytes: number }, []>(
      "SELECT name, sum(pgsize) AS bytes FROM dbstat WHERE name GLOB '*result*' GROUP BY name HAVING bytes > 4096",
    )
    .all();
  console.log(
    `of it: data ${(data.bytes / results).toFixed(2)} in ${data.n.toLocaleString("en")} segments; with slack ${parts.map((part) => `${part.name} ${(part.bytes / results).toFixed(2)}`).join(", ")}`,
  );
  connections.close();
  rmSync(folder, { recursive: true });
}

/** How long pages of results take, in the middle of the history. */
async function pages({ reader }: Connections, monitors: HttpsMonitors, kind: string): Promise<void> {
  const { newestResults } = readsOf(reader);
  const before = Math.floor(monitors.written / 2);
  const all = monitors.pks;
  const requests: [name: string, Selection, Position][] = [
    ["50 of a monitor", { monitorPks: [5], statuses: EVERY }, { before, limit: 50 }],
    ["50 of all", { monitorPks: all, statuses: EVERY }, { before, limit: 50 }],
    ["200 down of all", { monitorPks: all, statuses: ["down"] }, { before: undefined, limit: 200 }],
    ["down of a monitor", { monitorPks: [5], statuses: ["down"] }, { before: undefined, limit: 200 }],
    ["no match of all", { monitorPks: all, statuses: ["degraded"] }, { before: undefined, limit: 200 }],
  ];
  for (const [name, selection, page] of requests) {
    const times: number[] = [];
    let rows = 0;
    for (let at = 0; at < 30; at++) {
      const began = performance.now();
      rows = (await newestResults([selection], page)).length;
      times.push(performance.now() - began);
    }
    console.log(`${kind}: ${name.padEnd(18)} ${median(times).toFixed(2)} ms, ${rows} results`);
  }
}

/** @returns microseconds of the processor */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
