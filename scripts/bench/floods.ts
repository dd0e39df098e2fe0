/**
 * Effect of floods on other clients: valid requests and the latencies of checks on the compiled server, without load
 * and during slow-loris connections, idle connections, a flood of bad keys and a flood of check-ins of one monitor,
 * in turns.
 *
 * A separate process on the same cores sends the flood, so its rate is limited to what one client sends without
 * effort.
 *
 * floods.ts [--rate PER_SECOND of each flood] [--idle N] [--slow N] [--seconds N] [--rounds N]
 */
import { parseArgs } from "node:util";
import { median, quantile, quantiles, spread } from "./support/figures.ts";
import { cpuTime, createFolder, createStore, memory, run, serve, startTarget } from "./support/processes.ts";

const WATCHED = 100;
const WARM_UP = 5000;
/** Milliseconds between two valid requests: a page, a script, a job each second. */
const HONEST_EVERY = 10;

const { values } = parseArgs({
  options: {
    rate: { type: "string", default: "1000" },
    idle: { type: "string", default: "2000" },
    slow: { type: "string", default: "200" },
    seconds: { type: "string", default: "20" },
    rounds: { type: "string", default: "3" },
  },
});
const [rate, idle, slow] = [Number(values.rate), Number(values.idle), Number(values.slow)];
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];

interface Figures {
  honest: number[];
  checks: number[];
}

console.log(`${WATCHED} HTTP monitors at 1 s on a local target; honest: one request each ${HONEST_EVERY} ms, by turns the status, the list and a checkin, over new connections.
Flood: ${idle} idle connections and ${slow} that send a byte of a head each second, all renewed when they are closed; ${rate} bad keys and ${rate} checkins of one monitor a second.
${rounds} runs of ${seconds} s each after ${WARM_UP / 1000} s of warming up, quiet and flooded in turns; medians of the runs (least to most)
`);
const target = await startTarget();
const watched = Array.from({ length: WATCHED }, (_, at) => ({
  type: "HTTP" as const,
  config: { url: `http://127.0.1.${1 + (at % 64)}:${target.said}/${at}`, interval: 1 },
}));
const job = { type: "SCHEDULED" as const, config: { interval: 300 } };
using folder = createFolder();
const answers = `${folder.path}/answers.json`;
using store = await createStore([...watched, job, job]);
const [honestJob, floodedJob] = store.ids.slice(-2);
const server = await serve(store.folder, "--log-level", "error");
await Bun.sleep(WARM_UP);
const quiet: Figures[] = [];
const flooded: Figures[] = [];
for (let round = 0; round < rounds; round++) {
  quiet.push(await measure("quiet"));
  const flood = await run([
    process.execPath,
    `${import.meta.dir}/support/flood.ts`,
    ...[server.said, floodedJob ?? "", String(rate), String(idle), String(slow), answers],
  ]);
  await Bun.sleep(WARM_UP);
  flooded.push(await measure("flooded"));
  await flood.stop();
  console.log(`         the flood was answered ${await Bun.file(answers).text()}`);
  await Bun.sleep(1000);
}
await Promise.all([server.stop(), target.stop()]);

const of = (runs: Figures[], what: keyof Figures, share: number) =>
  runs.map((one) => quantile(one[what], share));
for (const what of ["honest", "checks"] as const) {
  for (const [name, runs] of [
    ["quiet", quiet],
    ["flooded", flooded],
  ] as const) {
    console.log(
      `${what.padEnd(7)} ${name.padEnd(8)} p50 ${spread(of(runs, what, 0.5), 2)} ms, p99 ${spread(of(runs, what, 0.99), 2)} ms`,
    );
  }
  const ratio = (share: number) => median(of(flooded, what, share)) / median(of(quiet, what, share));
  console.log(`${what.padEnd(7)} ratio    p50 ${ratio(0.5).toFixed(2)}, p99 ${ratio(0.99).toFixed(2)}`);
}

async function measure(name: string): Promise<Figures> {
  const [from, cpu, start] = [Date.now(), cpuTime(server.pid), performance.now()];
  const { latencies: honest, failed } = await askHonestly(seconds * 1000);
  const used = (cpuTime(server.pid) - cpu) / (performance.now() - start);
  const rows = store.results(from).filter(({ monitor }) => monitor <= WATCHED);
  const checks = rows.flatMap(({ latencyMs }) => latencyMs ?? []);
  const wrong = rows.filter(({ status }) => status === "down").length;
  console.log(
    `${name.padEnd(8)} honest ${quantiles(honest)}, ${failed} failed; checks ${quantiles(checks)}, ${wrong} down; ${(100 * used).toFixed(0)} % of a core, ${memory(server.pid).toFixed(0)} MB`,
  );
  return { honest, checks };
}

/** Sends each request when it is due, independent of the previous responses. */
async function askHonestly(duration: number) {
  const paths = ["/api/v1/status", "/api/v1/monitors?range=1d", `/api/v1/monitors/${honestJob}/checkin`];
  const latencies: number[] = [];
  let failed = 0;
  const ask = async (path: string) => {
    const start = performance.now();
    const response = await fetch(server.said + path, {
      headers: { authorization: `Bearer ${store.key}` },
      keepalive: false,
    }).catch(() => undefined);
    await response?.arrayBuffer();
    if (!response?.ok) failed++;
    latencies.push(performance.now() - start);
  };
  const asked: Promise<void>[] = [];
  const start = performance.now();
  for (let at = 0; at * HONEST_EVERY < duration; at++) {
    await Bun.sleep(Math.max(0, start + at * HONEST_EVERY - performance.now()));
    // Only each tenth request is a check-in, to stay below the limit of its monitor.
    asked.push(ask(paths[at % 20 === 0 ? 2 : at % 2] ?? ""));
  }
  await Promise.all(asked);
  return { latencies, failed };
}
