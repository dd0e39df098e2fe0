/**
 * Pauses of the server during housekeeping: a monitor with 500,000 results is deleted, half of the remaining results
 * are too old, and the free space is returned to the file system. A small request every few milliseconds measures the
 * pauses of its event loop. For comparison, the same server without housekeeping.
 *
 * housekeeping.ts [--monitors N] [--results N of each monitor] [--seconds N of quiet] [--patience SECONDS]
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { quantile, quantiles } from "./support/figures.ts";
import { fillHistory } from "./support/history.ts";
import { PAUSE, pauses } from "./support/pauses.ts";
import { createStore, serve } from "./support/processes.ts";

const BIG = 500_000;
/** Half of the 90 days that the history covers. */
const RETENTION_DAYS = 45;
/** The server keeps up to a thousand free pages for new rows (src/store/sqlite/recording/housekeeping.ts). */
const FREE_PAGES = 1000;

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "1000" },
    results: { type: "string", default: "1000" },
    seconds: { type: "string", default: "20" },
    patience: { type: "string", default: "240" },
  },
});
const [monitors, results] = [Number(values.monitors), Number(values.results)];

const config = { url: "http://127.0.0.1:1/", interval: 86_400 };
using store = await createStore(Array.from({ length: monitors }, () => ({ type: "HTTP", config })));
fillHistory(store.folder, { monitors, results });
store.query(`INSERT INTO check_results (monitor_pk, status, detail_pk, created_at)
  WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${BIG}) SELECT 1, 1, 1, ${Date.now()} FROM n`);
store.query("PRAGMA wal_checkpoint(TRUNCATE)");
console.log(`${monitors * results + BIG} results, ${size()} MB; a request each ${PAUSE} ms\n`);

let server = await serve(store.folder, "--log-level", "warn", "--retention-days", "365");
const quiet = await pauses(server, Bun.sleep(Number(values.seconds) * 1000));
await server.stop();
console.log(`quiet:     ${quantiles(quiet)}`);

server = await serve(store.folder, "--log-level", "warn", "--retention-days", String(RETENTION_DAYS));
const start = Date.now();
await fetch(`${server.said}/api/v1/monitors/${store.ids[0]}`, {
  method: "DELETE",
  headers: { authorization: `Bearer ${store.key}` },
});
const busy = await pauses(server, tidied());
const seconds = (Date.now() - start) / 1000;
await server.stop();
console.log(`tidying:   ${quantiles(busy)}; ${over(busy, 20)} over 20 ms`);
console.log(
  `ratio:     p99 ${(quantile(busy, 0.99) / quantile(quiet, 0.99)).toFixed(2)}; quiet had ${over(quiet, 20)} over 20 ms`,
);
console.log(`\n${left()} results and ${size()} MB left after ${seconds.toFixed(0)} s`);

/** Waits until the old results are deleted and their space is free, or until the timeout. */
async function tidied(): Promise<void> {
  const end = start + Number(values.patience) * 1000;
  while (Date.now() < end) {
    await Bun.sleep(1000);
    const [old] = store.query<{ pk: number }>("SELECT pk FROM deleted_monitors LIMIT 1");
    const [oldest] = store.query<{ at: number }>(OLDEST);
    const [free] = store.query<{ freelist_count: number }>("PRAGMA freelist_count");
    const kept = (oldest?.at ?? 0) > Date.now() - (RETENTION_DAYS + 1) * 24 * 60 * 60 * 1000;
    if (!old && kept && (free?.freelist_count ?? 0) <= FREE_PAGES) return;
  }
}

/** A packed result is deleted by the UTC day. */
const OLDEST = `SELECT min(at) AS at FROM (
  SELECT created_at AS at FROM check_results WHERE pk = (SELECT min(pk) FROM check_results)
  UNION ALL SELECT min(last_at) FROM result_segments)`;

const LEFT =
  "SELECT (SELECT count(*) FROM check_results) + (SELECT coalesce(sum(count), 0) FROM result_segments) AS count";

function over(times: number[], limit: number): number {
  return times.filter((time) => time > limit).length;
}

function left(): number {
  return store.query<{ count: number }>(LEFT)[0]?.count ?? 0;
}

function size(): number {
  return Math.round(statSync(join(store.folder, "stillup.db")).size / 1024 / 1024);
}
