/**
 * Pauses of the server while a channel and a monitor with many deliveries are deleted. A small request every few
 * milliseconds measures the pauses of its event loop, from the delete request until the background work is done.
 *
 * deletion.ts [--deliveries N] [--pending N of these] [--beside BINARY]
 */
import { Database as Sqlite } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { quantiles } from "./support/figures.ts";
import { PAUSE, pauses } from "./support/pauses.ts";
import { createFolder, type Running, run } from "./support/processes.ts";

const { values } = parseArgs({
  options: {
    deliveries: { type: "string", default: "300000" },
    pending: { type: "string", default: "1000" },
    beside: { type: "string" },
  },
});
const [deliveries, pending] = [Number(values.deliveries), Number(values.pending)];

console.log(
  `${deliveries} deliveries, ${pending} of them pending, of one monitor to one channel; a request each ${PAUSE} ms\n`,
);
for (const binary of [values.beside, "dist/stillup"]) {
  if (!binary) continue;
  console.log(binary);
  for (const what of ["channel", "monitor"] as const) await measure(resolve(binary), what);
}

async function measure(binary: string, what: "channel" | "monitor"): Promise<void> {
  using folder = createFolder();
  // Each binary creates its own tables.
  let server = await serve(binary, folder.path);
  const key = readFileSync(join(folder.path, "initial-owner-key"), "utf8").trim();
  const { channel, monitor } = await make(server, key);
  await server.stop();
  fill(folder.path);
  server = await serve(binary, folder.path);
  const path = what === "channel" ? `alerts/${channel}` : `monitors/${monitor}`;
  const headers = { authorization: `Bearer ${key}` };
  const start = performance.now();
  const deleted = fetch(`${server.said}/api/v1/${path}`, { method: "DELETE", headers });
  const answered = deleted.then(() => performance.now() - start);
  const times = await pauses(server, isDone(folder.path, what));
  console.log(
    `  ${what}: answered after ${(await answered).toFixed(0)} ms, others ${quantiles(times)}, done after ${((performance.now() - start) / 1000).toFixed(0)} s`,
  );
  await server.stop();
}

async function serve(binary: string, folder: string): Promise<Running> {
  const running = await run([binary, "serve", "--port", "0", "--data-dir", folder, "--log-level", "warn"]);
  return { ...running, said: running.said.replace(/.*listening on /, "").split("\n")[0] ?? "" };
}

async function make({ said: url }: Running, key: string) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const { data } = (await answer.json()) as { data: { id: string } };
    return data.id;
  };
  const channel = await post("alerts", { name: "c", type: "WEBHOOK", config: { url: "https://192.0.2.1/" } });
  const monitor = await post("monitors", {
    name: "m",
    type: "SCHEDULED",
    config: {},
    alertChannelIds: [channel],
  });
  return { channel, monitor };
}

/** A result for each delivery. Pending deliveries are due in an hour. */
function fill(folder: string): void {
  const sqlite = new Sqlite(join(folder, "stillup.db"));
  const now = Date.now();
  sqlite.run("PRAGMA synchronous = OFF");
  sqlite.run(
    `INSERT INTO check_results (pk, series, created_at)
     WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?) SELECT at, 4 + at % 2, ? FROM n`,
    [deliveries, now],
  );
  const transition = JSON.stringify({
    organization: { id: "o", name: "o" },
    monitor: { id: "m", name: "m", type: "SCHEDULED", config: { interval: 300 } },
    previousStatus: "ok",
    status: "failed",
    result: { id: "r", createdAt: now, latencyMs: null, detail: null },
  });
  sqlite.run(
    `INSERT INTO deliveries (id, result_pk, monitor_pk, channel_pk, channel_id, channel_type, transition, status, attempts, next_attempt_at, last_attempt_at, created_at)
     SELECT hex(randomblob(12)), check_results.pk, 1, 1, (SELECT id FROM alert_channels), 'WEBHOOK', ?,
       CASE WHEN check_results.pk > ? THEN 0 ELSE 1 END, 1, CASE WHEN check_results.pk > ? THEN ? END, ?, ? FROM check_results`,
    [transition, deliveries - pending, deliveries - pending, now + 3_600_000, now, now],
  );
  sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite.close();
}

/** Waits for the background work, which older binaries do not have. */
async function isDone(folder: string, what: "channel" | "monitor"): Promise<void> {
  const sqlite = new Sqlite(join(folder, "stillup.db"), { readonly: true });
  const count = (sql: string) => sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${sql}`).get()?.n;
  const waiting = what === "channel" ? "deliveries WHERE status = 0" : "check_results";
  // First the rows, so that the server has processed the request.
  while (count(what === "channel" ? "alert_channels" : "monitors") !== 0 || count(waiting) !== 0)
    await Bun.sleep(500);
  sqlite.close();
}
