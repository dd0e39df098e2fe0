/**
 * A public page while monitors are checked: answers a second of the compiled server, of the whole page, of a page that the
 * client already has (304) and of the JSON; and the latencies of the checks without readers and with them, at a fixed rate and
 * at as many requests as the machine can send.
 *
 * For comparison, a bare `Bun.serve` in another process answers the same bytes, while stillup runs the same checks. Whatever
 * these checks are slower by is the cost of the busy machine, and not of stillup: sender, servers and target share its cores.
 *
 * status-page.ts [--checks PER_SECOND] [--components N] [--rate PER_SECOND] [--connections N] [--seconds N] [--rounds N]
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import { median, quantile, spread } from "./support/figures.ts";
import { fillHistory } from "./support/history.ts";
import { cpuTime, createFolder, createStore, memory, run, serve, startTarget } from "./support/processes.ts";
import { createPage, SLUG } from "./support/public-page.ts";
import { type StormResult, sender, sendStorm } from "./support/storm.ts";

const { values } = parseArgs({
  options: {
    checks: { type: "string", default: "200" },
    components: { type: "string", default: "50" },
    rate: { type: "string", default: "10000" },
    connections: { type: "string", default: "64" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
  },
});
const [checks, components, rate] = [Number(values.checks), Number(values.components), Number(values.rate)];
const [connections, seconds, rounds] = [
  Number(values.connections),
  Number(values.seconds),
  Number(values.rounds),
];
const WARM_UP = 5000;
const DAYS = 90;
/** Addresses of 127.0.0.0/8, because one address runs out of ports after 28,000 connections within a minute. */
const ADDRESSES = 64;
const BROWSER = { "accept-encoding": "gzip, deflate, br, zstd" };

const target = await startTarget();
using store = await createStore(
  Array.from({ length: checks }, (_, at) => ({
    type: "HTTP",
    config: { url: `http://127.0.1.${1 + (at % ADDRESSES)}:${target.said}/${at}`, interval: 1 },
  })),
);
fillHistory(store.folder, { monitors: components, results: DAYS * 24 });
// The history leaves all monitors without a next check.
store.query(`UPDATE monitor_states SET next_check_at = ${Date.now()} + monitor_pk * ${1000 / checks}`);
const server = await serve(store.folder, "--log-level", "error");
await createPage({ url: server.said, key: store.key, monitorIds: store.ids.slice(0, components) });
const page = `${server.said}/status/${SLUG}`;
const answer = await raw(page);
using folder = createFolder();
await Bun.write(`${folder.path}/answer.json`, JSON.stringify(answer));
const bare = await run([
  process.execPath,
  `${import.meta.dir}/support/bytes-server.ts`,
  `${folder.path}/answer.json`,
]);
const known = { ...BROWSER, "if-none-match": answer.headers.etag ?? "" };

console.log(`${checks} HTTP checks a second; a page of ${components} components with ${DAYS} days: ${answer.length} bytes of HTML, ${Buffer.from(answer.body, "base64").length} sent (${answer.headers["content-encoding"]}).
Without a limit ${sender}, at ${rate} requests a second a client of our own; ${connections} connections; ${rounds} rounds of ${seconds} s of each, taking turns, after ${WARM_UP / 1000} s
of warming up; load of the machine before it ${loadavg()
  .map((load) => load.toFixed(1))
  .join(", ")}; medians of the rounds (least to most)
`);

interface Figures {
  storm: StormResult | undefined;
  latencies: number[];
  wrong: number;
  /** Share of a core that stillup uses. */
  cores: number;
}

const kinds: Record<string, { url: string; headers: Record<string, string>; rate?: number } | undefined> = {
  "no readers": undefined,
  "page, at a rate": { url: page, headers: BROWSER, rate },
  "bare, at a rate": { url: bare.said, headers: BROWSER, rate },
  "page, no limit": { url: page, headers: BROWSER },
  "bare, no limit": { url: bare.said, headers: BROWSER },
  "page, 304": { url: page, headers: known },
  "bare, 304": { url: bare.said, headers: known },
  "summary.json": { url: `${page}/api/v2/summary.json`, headers: BROWSER },
};
const figures = new Map<string, Figures[]>(Object.keys(kinds).map((name) => [name, []]));
await Bun.sleep(WARM_UP);
for (let round = 0; round < rounds; round++) {
  for (const [name, runs] of figures) runs.push(await measure(kinds[name]));
}
for (const [name, runs] of figures) console.log(summary(name, runs));
console.log(`
page to bare, answers a second: ${ratio("page, no limit", "bare, no limit")}, 304: ${ratio("page, 304", "bare, 304")}
p99 of the checks added by ${rate} readers a second: ${added("page, at a rate")} ms, by as many of the bare server: ${added("bare, at a rate")} ms
p99 of the checks added without a limit: ${added("page, no limit")} ms, by the bare server: ${added("bare, no limit")} ms
memory of stillup: ${memory(server.pid).toFixed(0)} MB`);
await Promise.all([server.stop(), bare.stop(), target.stop()]);

async function measure(kind: (typeof kinds)[string]): Promise<Figures> {
  const [from, cpu, start] = [Date.now(), cpuTime(server.pid), performance.now()];
  const storm = kind && (await sendStorm({ ...kind, connections, seconds }));
  if (!kind) await Bun.sleep(seconds * 1000);
  const cores = (cpuTime(server.pid) - cpu) / (performance.now() - start);
  const to = Date.now();
  // The recorder writes results within a second.
  await Bun.sleep(1500);
  const results = store.results(from, to);
  const latencies = results.flatMap(({ latencyMs }) => latencyMs ?? []);
  return { storm, latencies, wrong: results.filter(({ status }) => status === "down").length, cores };
}

function summary(name: string, runs: Figures[]): string {
  const storms = runs.flatMap(({ storm }) => storm ?? []);
  const of = (pick: (one: StormResult) => number, digits = 2) => spread(storms.map(pick), digits);
  const answers =
    storms.length === 0
      ? ""
      : `${of((one) => one.rate, 0)} answers/s, p50 ${of((one) => one.p50)} ms, p99 ${of((one) => one.p99)} ms; `;
  const latency = (share: number) =>
    spread(
      runs.map(({ latencies }) => quantile(latencies, share)),
      2,
    );
  return `${name.padEnd(16)} ${answers}checks ${spread(runs.map(({ latencies }) => latencies.length / seconds))}/s, p50 ${latency(0.5)} ms, p99 ${latency(0.99)} ms, down ${runs.reduce((sum, { wrong }) => sum + wrong, 0)}; stillup ${spread(runs.map(({ cores }) => 100 * cores))} % of a core`;
}

function ratio(name: string, base: string): string {
  const rates = (of: string) => (figures.get(of) ?? []).flatMap(({ storm }) => storm?.rate ?? []);
  return (median(rates(name)) / median(rates(base))).toFixed(2);
}

/** The median of the differences within a round. */
function added(name: string): string {
  const alone = figures.get("no readers") ?? [];
  const p99 = (runs: Figures[], round: number) => quantile(runs[round]?.latencies ?? [], 0.99);
  return spread(
    (figures.get(name) ?? []).map((_, round) => p99(figures.get(name) ?? [], round) - p99(alone, round)),
    2,
  );
}

/** An answer as it is sent, with `body` in base64, and the length of what it decodes to. */
async function raw(url: string) {
  const response = await fetch(url, {
    headers: { "accept-encoding": "br" },
    decompress: false,
  } as RequestInit);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  const body = Buffer.from(await response.arrayBuffer());
  const headers = Object.fromEntries(response.headers) as Record<string, string | undefined>;
  const { length } = headers["content-encoding"] === "br" ? brotliDecompressSync(body) : body;
  for (const name of ["content-length", "date"]) delete headers[name];
  return { headers, body: body.toString("base64"), length };
}
