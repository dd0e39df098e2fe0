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
import { type Connections, openConnections } from "../../src/store/sqlite/connections.ts";
import { sealResults } from "../../src/store/sqlite/housekeeping/seal.ts";
import { readsOf } from "../../src/store/sqlite/results/reads.ts";
import type { Sealing } from "../../src/store/store.ts";
import { HttpsMonitors } from "./support/https-monitors.ts";
import { measurePages } from "./support/result-pages.ts";

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

await measure("packed hour by hour", async (connections) => {
  const monitors = new HttpsMonitors(Number(values.monitors));
  let [written, packed, longest] = [0, 0, 0];
  for (let hour = 0; hour < Number(values.hours); hour++) {
    written += cpuOf(() => monitors.writeHour(connections.writer));
    // So a page of rows is complete.
    if (hour === 0) await measurePages(readsOf(connections.reader), monitors, "rows");
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
  await measurePages(readsOf(connections.reader), monitors, "segments");
  return results;
});

await measure(`${values.days} days as segments`, async (connections) => {
  const monitors = new HttpsMonitors(Number(values["long-monitors"]));
  for (let day = 0; day < Number(values.days); day++) monitors.writePackedDay(connections.writer);
  await measurePages(readsOf(connections.reader), monitors, "segments");
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

/** @returns microseconds of the processor */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
