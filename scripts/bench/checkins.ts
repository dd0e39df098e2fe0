/**
 * Check-ins a second that the compiled server acknowledges, each after it is on the disk, with a light load
 * generator. For comparison, requests that store nothing, over the same connections.
 *
 * With --rate, check-ins are sent at that rate whether or not the previous ones are acknowledged, to each binary in
 * turn. Prints the latencies of each ten seconds. strace can delay each sync of the disk.
 *
 * checkins.ts [--connections N] [--seconds N] [--rounds N]
 * checkins.ts --rate N [--seconds N] [--sync-delay MILLISECONDS] [--beside BINARY]
 */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { median, quantiles, spread } from "./support/figures.ts";
import { load } from "./support/load.ts";
import { cpuTime, createStore, type Running, run, type Store, serve } from "./support/processes.ts";

const MONITORS = 1000;
/** Milliseconds of one summary of latencies. */
const STRETCH = 10_000;
const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "128" },
    seconds: { type: "string", default: "6" },
    rounds: { type: "string", default: "3" },
    rate: { type: "string" },
    "sync-delay": { type: "string", default: "0" },
    beside: { type: "string" },
  },
});
const [connections, seconds, rounds] = [
  Number(values.connections),
  Number(values.seconds),
  Number(values.rounds),
];

interface Figures {
  perSecond: number;
  /** Milliseconds. */
  cpuEach: number;
  latencies: number[];
}

if (values.rate) await measureAtRate(Number(values.rate));
else await measureAtMost();

async function measureAtMost(): Promise<void> {
  console.log(`${connections} connections, each with one request at a time, ${MONITORS} monitors, ${rounds} runs of ${seconds} s each, taking turns;
medians (least to most); counted are answers of 200 and, for checkins, rows in the database
`);
  using store = await createJobs();
  const server = await serve(store.folder, "--log-level", "warn");
  const paths = {
    checkin: (at: number) => `/api/v1/monitors/${store.ids[at % MONITORS]}/checkin`,
    status: () => "/api/v1/status",
  };
  const found: Record<keyof typeof paths, Figures[]> = { checkin: [], status: [] };
  await measure(store, server, paths.checkin, 2);
  for (let round = 0; round < rounds; round++) {
    found.checkin.push(await measure(store, server, paths.checkin, seconds));
    found.status.push(await measure(store, server, paths.status, seconds));
  }
  await server.stop();
  for (const [name, figures] of Object.entries(found)) {
    const of = (field: "perSecond" | "cpuEach", digits: number) =>
      spread(
        figures.map((one) => one[field]),
        digits,
      );
    console.log(
      `${name.padEnd(8)} ${of("perSecond", 0)} /s, ${of("cpuEach", 3)} ms CPU of the server each, ${quantiles(figures.flatMap(({ latencies }) => latencies))}`,
    );
  }
  const rate = (name: keyof typeof paths) => median(found[name].map(({ perSecond }) => perSecond));
  console.log(
    `ratio    ${(rate("checkin") / rate("status")).toFixed(2)} x the rate of requests that only read`,
  );
}

/** @param pathOf the path of a request, by its number */
async function measure(
  store: Store,
  server: Running,
  pathOf: (at: number) => string,
  duration: number,
): Promise<Figures> {
  const rows = () =>
    store.query<{ count: number }>("SELECT count(*) AS count FROM check_results")[0]?.count ?? 0;
  const [before, cpu, start] = [rows(), cpuTime(server.pid), performance.now()];
  const { answered, latencies } = await load(server.said, { key: store.key, pathOf, connections, duration });
  const elapsed = (performance.now() - start) / 1000;
  const used = cpuTime(server.pid) - cpu;
  const stored = rows() - before;
  if (pathOf(0).endsWith("/checkin") && stored < answered)
    throw new Error(`${answered} answered, ${stored} stored`);
  return { perSecond: answered / elapsed, cpuEach: used / answered, latencies };
}

async function createJobs(): Promise<Store> {
  return createStore(
    Array.from({ length: MONITORS }, () => ({ type: "SCHEDULED", config: { interval: 300 } })),
  );
}

async function measureAtRate(rate: number): Promise<void> {
  const delay = Number(values["sync-delay"]);
  console.log(`${rate} checkins/s for ${seconds} s, independent of the responses, ${MONITORS} monitors;
${delay} ms added to each sync; latencies by ${STRETCH / 1000} s, and the descriptors that were open at its end\n`);
  for (const binary of [values.beside, "dist/stillup"]) {
    if (!binary) continue;
    using store = await createJobs();
    const server = await serveSlowly(binary, store.folder, delay);
    console.log(binary);
    await sendAtRate(store, server, rate);
    await server.stop();
  }
}

/** Delays each sync: `-D` keeps the process ID of the server, `--seccomp-bpf` traces no other call. */
async function serveSlowly(binary: string, folder: string, delay: number): Promise<Running> {
  const inject = `inject=fdatasync:delay_enter=${delay * 1000}`;
  const strace = [
    "strace",
    "-D",
    "-f",
    "--seccomp-bpf",
    "-o",
    "/dev/null",
    "-e",
    "trace=fdatasync",
    "-e",
    inject,
  ];
  const command = [resolve(binary), "serve", "--port", "0", "--data-dir", folder, "--log-level", "warn"];
  const running = await run(delay > 0 ? [...strace, ...command] : command);
  return { ...running, said: running.said.replace(/.*listening on /, "") };
}

async function sendAtRate(store: Store, server: Running, rate: number): Promise<void> {
  const headers = { authorization: `Bearer ${store.key}` };
  const stretches: number[][] = [];
  const answers: Promise<void>[] = [];
  const start = performance.now();
  const send = async (at: number) => {
    // From the due time: a late sender must not hide a delay.
    const due = start + (at * 1000) / rate;
    const answer = await fetch(`${server.said}/api/v1/monitors/${store.ids[at % MONITORS]}/checkin`, {
      headers,
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
    const stretch = Math.floor((due - start) / STRETCH);
    stretches[stretch] ??= [];
    stretches[stretch].push(performance.now() - due);
  };
  const open: number[] = [];
  for (let at = 0; at < rate * seconds; at++) {
    const early = start + (at * 1000) / rate - performance.now();
    if (early > 0) await Bun.sleep(early);
    if (at % ((rate * STRETCH) / 1000) === 0) open.push(descriptors(server.pid));
    answers.push(send(at));
  }
  open.push(descriptors(server.pid));
  await Promise.all(answers);
  for (const [at, latencies] of stretches.entries())
    console.log(
      `  ${String((at * STRETCH) / 1000).padStart(3)} s  ${quantiles(latencies)}, ${open[at + 1]} descriptors`,
    );
  console.log(`  all    ${quantiles(stretches.flat())}\n`);
}

function descriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
