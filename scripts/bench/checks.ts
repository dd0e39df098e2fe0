/**
 * Processor time of an HTTP check from due to recorded, and the maximum rate. Compares the compiled server with
 * Debian's blackbox_exporter, which stores nothing, or with another binary of stillup, on the same target, at the same rate
 * and saturated.
 *
 * With --failing, so many of 100 monitors are of a port where nothing listens, and no server is saturated. With --interval, each
 * monitor has it, so that there are so many times more of them; then a round begins with a warm-up of one interval.
 *
 * checks.ts [--rate PER_SECOND] [--seconds N] [--rounds N] [--descriptors N] [--against BINARY] [--failing PERCENT] [--interval SECONDS]
 */
import { parseArgs } from "node:util";
import { descriptorLimit } from "../../src/descriptors.ts";
import { maxChecks } from "../../src/runner/checks/concurrency-limit.ts";
import { median, spread } from "./support/figures.ts";
import { turnedAway } from "./support/listen-queue.ts";
import { cpuTime, memory, run, serveWithin, startTarget } from "./support/processes.ts";
import { createStoreByApi, type StoreByApi } from "./support/store-by-api.ts";

const BLACKBOX = "prometheus-blackbox-exporter";
const BLACKBOX_PORT = 19_115;
/** Due checks a second of the saturated server, and concurrent requests to blackbox_exporter. */
const MONITORS = 15_000;
const REQUESTS = 32;
const SHORTEST_WARM_UP = 3000;
/** Addresses of 127.0.0.0/8, because one address runs out of ports after 28,000 connections within a minute. */
const ADDRESSES = 64;

const { values } = parseArgs({
  options: {
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
    descriptors: { type: "string", default: String(descriptorLimit()) },
    against: { type: "string" },
    failing: { type: "string", default: "0" },
    interval: { type: "string", default: "1" },
  },
});
const [rate, seconds, rounds] = [Number(values.rate), Number(values.seconds), Number(values.rounds)];
const descriptors = Number(values.descriptors);
const { against } = values;
const failing = Number(values.failing) / 100;
const interval = Number(values.interval);
const WARM_UP = Math.max(SHORTEST_WARM_UP, interval * 1000);
/** Nothing listens there. */
const CLOSED_PORT = 1;
const OURS = "dist/stillup";
if (!against && !Bun.which(BLACKBOX)) {
  console.error(`${BLACKBOX} is missing: apt-get install -y ${BLACKBOX}`);
  process.exit(1);
}

interface Figures {
  perSecond: number;
  /** Milliseconds of processor time. */
  cpuPerCheck: number;
  memory: number;
}

console.log(`HTTP checks on a local target in a separate process, ${rounds} runs of ${seconds} s each after ${WARM_UP / 1000} s of warm-up, in turns;
medians (least to most). CPU is user and system time of the whole process from /proc. Rows in check_results; monitors created by requests.
${against ? `${against}: the same` : `blackbox_exporter: answered requests to /probe, ${REQUESTS} at once where saturated`}. Load, target and subject share the cores.
Limit of file descriptors: ${descriptors}, which is for ${maxChecks(descriptors)} checks that hold all their sockets.
`);
const target = await startTarget();
const loads: [string, number | undefined][] = [[`${rate}/s`, rate]];
if (failing === 0 && interval === 1) loads.push(["saturated", undefined]);
for (const [name, perSecond] of loads) {
  const monitors = perSecond === undefined ? MONITORS : perSecond * interval;
  using ours = await createStore(OURS, monitors);
  using theirs = against ? await createStore(against, monitors) : undefined;
  const figures = { ours: [] as Figures[], theirs: [] as Figures[] };
  for (let round = 0; round < rounds; round++) {
    figures.ours.push(await measureBinary(OURS, ours));
    figures.theirs.push(
      await (against && theirs ? measureBinary(against, theirs) : measureBlackbox(perSecond)),
    );
  }
  report(name, figures);
}
await target.stop();

function createStore(binary: string, monitors: number): Promise<StoreByApi> {
  const urls = Array.from(
    { length: monitors },
    (_, at) =>
      `http://127.0.1.${1 + (at % ADDRESSES)}:${at < monitors * failing ? CLOSED_PORT : target.said}/${at}`,
  );
  return createStoreByApi(binary, { urls, interval });
}

async function measureBinary(binary: string, store: StoreByApi): Promise<Figures> {
  const [from, refused] = [Date.now(), turnedAway()];
  store.makeDue(from, interval > 1 ? interval * 1000 : 0);
  const options = ["--data-dir", store.folder, "--log-level", "warn"];
  const server = await serveWithin(descriptors, binary, ...options);
  const figures = await measure(server.pid, store.count);
  await server.stop();
  const failures = store.failures(from);
  for (const { message, count } of failures) console.log(`  ${binary}: ${count} failed, ${message}`);
  if (failures.length > 0 && failing === 0)
    console.log(`  the target's queue was too full for ${turnedAway() - refused} connections`);
  return figures;
}

async function measureBlackbox(perSecond: number | undefined): Promise<Figures> {
  const config = `${import.meta.dir}/support/blackbox.yml`;
  const listen = `--web.listen-address=127.0.0.1:${BLACKBOX_PORT}`;
  const child = Bun.spawn([BLACKBOX, `--config.file=${config}`, listen], { stderr: "ignore" });
  await Bun.sleep(1000);
  const load = await run([
    process.execPath,
    `${import.meta.dir}/support/blackbox-load.ts`,
    ...[BLACKBOX_PORT, target.said, ADDRESSES, perSecond ?? 0, REQUESTS].map(String),
  ]);
  const count = async () => Number(await (await fetch(`http://127.0.0.1:${load.said}`)).text());
  const figures = await measure(child.pid, count);
  await load.stop();
  child.kill();
  await child.exited;
  return figures;
}

async function measure(pid: number, count: () => number | Promise<number>): Promise<Figures> {
  await Bun.sleep(WARM_UP);
  const [start, before, cpuBefore] = [performance.now(), await count(), cpuTime(pid)];
  await Bun.sleep(seconds * 1000);
  const [cpu, checks] = [cpuTime(pid) - cpuBefore, (await count()) - before];
  const perSecond = checks / ((performance.now() - start) / 1000);
  return { perSecond, cpuPerCheck: cpu / checks, memory: memory(pid) };
}

function report(name: string, { ours, theirs }: { ours: Figures[]; theirs: Figures[] }): void {
  console.log(name);
  console.log(`  stillup            ${show(ours)}`);
  console.log(`  ${(against ?? "blackbox_exporter").padEnd(17)}  ${show(theirs)}`);
  const ratio = (of: keyof Figures) =>
    median(ours.map((one) => one[of])) / median(theirs.map((one) => one[of]));
  console.log(
    `  ratio              ${ratio("perSecond").toFixed(2)} x the checks, ${ratio("cpuPerCheck").toFixed(2)} x the CPU per check`,
  );
}

function show(figures: Figures[]): string {
  const of = (name: keyof Figures, digits: number) =>
    spread(
      figures.map((one) => one[name]),
      digits,
    );
  return `${of("perSecond", 0)} checks/s, ${of("cpuPerCheck", 3)} ms CPU per check, ${of("memory", 0)} MB`;
}
