/**
 * Processor time of an HTTP check from due to recorded, and the maximum rate. Compares the compiled server with
 * Debian's blackbox_exporter, which stores nothing, or with another binary of stillup, on the same target, at the same rate
 * and saturated; and with the floor: a program that does nothing but connect to it, send the request and read the first line.
 *
 * With --failing, so many of 100 monitors are of a port where nothing listens, and no server is saturated. With --interval, each
 * monitor has it, so that there are so many times more of them; then a round begins with a warm-up of one interval. With --tls,
 * the target speaks HTTPS, and each check is a full handshake with a certificate that is verified.
 *
 * checks.ts [--rate PER_SECOND] [--seconds N] [--rounds N] [--descriptors N] [--against BINARY] [--failing PERCENT] [--interval SECONDS] [--tls]
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { descriptorLimit } from "../../src/descriptors.ts";
import { maxChecks } from "../../src/runner/checks/concurrency-limit.ts";
import { createAuthority } from "../../test/support/servers/certificates.ts";
import { inTurn, median, spread } from "./support/figures.ts";
import { turnedAway } from "./support/listen-queue.ts";
import { cpuTime, createFolder, memory, run, serveWithin, startTarget } from "./support/processes.ts";
import { createStoreByApi, type StoreByApi } from "./support/store-by-api.ts";

const BLACKBOX = "prometheus-blackbox-exporter";
const BLACKBOX_PORT = 19_115;
/** Due checks a second of the saturated server, and concurrent requests to blackbox_exporter. */
const MONITORS = 15_000;
const REQUESTS = 32;
/** Concurrent connections of the saturated floor. More cost the same. */
const CONNECTIONS = 50;
const SHORTEST_WARM_UP = 3000;
/** Addresses of 127.0.0.0/8, because one address runs out of ports after 28,000 connections within a minute. */
const ADDRESSES = 64;

const { values } = parseArgs({
  options: {
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
    descriptors: { type: "string" },
    against: { type: "string" },
    failing: { type: "string", default: "0" },
    interval: { type: "string", default: "1" },
    tls: { type: "boolean", default: false },
  },
});
const [rate, seconds, rounds] = [Number(values.rate), Number(values.seconds), Number(values.rounds)];
/** A target that speaks HTTPS is the slowest part: more checks at once would wait for it until their timeout. */
const DESCRIPTORS_FOR_TLS = 2000;
const descriptors = Number(
  values.descriptors ?? (values.tls ? Math.min(DESCRIPTORS_FOR_TLS, descriptorLimit()) : descriptorLimit()),
);
const { against } = values;
const failing = Number(values.failing) / 100;
const interval = Number(values.interval);
const scheme = values.tls ? "https" : "http";
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
floor: a connection of Bun, the request and the first line of the answer, ${CONNECTIONS} at once where saturated.${values.tls ? " Full TLS handshakes." : ""}
Limit of file descriptors: ${descriptors}, which is for ${maxChecks(descriptors)} checks that hold all their sockets.
`);
using folder = createFolder();
const target = await startTarget(...(values.tls ? ["--tls", await createCertificate()] : []));
const loads: [string, number | undefined][] = [[`${rate}/s`, rate]];
if (failing === 0 && interval === 1) loads.push(["saturated", undefined]);
for (const [name, perSecond] of loads) {
  const monitors = perSecond === undefined ? MONITORS : perSecond * interval;
  using ours = await createStore(OURS, monitors);
  using theirs = against ? await createStore(against, monitors) : undefined;
  const figures = { ours: [] as Figures[], theirs: [] as Figures[], floor: [] as Figures[] };
  for (let round = 0; round < rounds; round++) {
    const measures = [
      async () => figures.ours.push(await measureBinary(OURS, ours)),
      async () =>
        figures.theirs.push(
          await (against && theirs ? measureBinary(against, theirs) : measureBlackbox(perSecond)),
        ),
    ];
    for (const measure of inTurn(measures, round)) await measure();
    figures.floor.push(await measureFloor(perSecond));
  }
  report(name, figures);
}
await target.stop();

/** Trusted by the programs that this one starts. @returns the folder of the certificate and its key */
async function createCertificate(): Promise<string> {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue(
    Array.from({ length: ADDRESSES }, (_, at) => ({ type: "ip", value: `127.0.1.${1 + at}` })),
  );
  const files = { "ca.pem": authority.cert, "cert.pem": cert, "key.pem": key };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
  process.env.NODE_EXTRA_CA_CERTS = join(folder.path, "ca.pem");
  return folder.path;
}

function createStore(binary: string, monitors: number): Promise<StoreByApi> {
  const urls = Array.from(
    { length: monitors },
    (_, at) =>
      `${scheme}://127.0.1.${1 + (at % ADDRESSES)}:${at < monitors * failing ? CLOSED_PORT : target.said}/${at}`,
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
  const load = await runCounting(
    "blackbox-load.ts",
    ...[BLACKBOX_PORT, target.said, ADDRESSES, perSecond ?? 0, REQUESTS].map(String),
  );
  const figures = await measure(child.pid, load.count);
  await load.stop();
  child.kill();
  await child.exited;
  return figures;
}

async function measureFloor(perSecond: number | undefined): Promise<Figures> {
  const options = [target.said, ADDRESSES, perSecond ?? 0, CONNECTIONS, scheme];
  const floor = await runCounting("floor.ts", ...options.map(String));
  const figures = await measure(floor.pid, floor.count);
  await floor.stop();
  return figures;
}

/** Runs a program of `support/` that serves a number over HTTP. */
async function runCounting(program: string, ...options: string[]) {
  const running = await run([process.execPath, join(import.meta.dir, "support", program), ...options]);
  const count = async () => Number(await (await fetch(`http://127.0.0.1:${running.said}`)).text());
  return { ...running, count };
}

async function measure(pid: number, count: () => number | Promise<number>): Promise<Figures> {
  await Bun.sleep(WARM_UP);
  const [start, before, cpuBefore] = [performance.now(), await count(), cpuTime(pid)];
  await Bun.sleep(seconds * 1000);
  const [cpu, checks] = [cpuTime(pid) - cpuBefore, (await count()) - before];
  const perSecond = checks / ((performance.now() - start) / 1000);
  return { perSecond, cpuPerCheck: cpu / checks, memory: memory(pid) };
}

function report(name: string, { ours, theirs, floor }: Record<"ours" | "theirs" | "floor", Figures[]>): void {
  console.log(name);
  console.log(`  stillup            ${show(ours)}`);
  console.log(`  ${(against ?? "blackbox_exporter").padEnd(17)}  ${show(theirs)}`);
  console.log(`  floor              ${show(floor)}`);
  console.log(`  ratio              ${ratio(ours, theirs)}`);
  console.log(
    `  ratio to the floor ${ratio(ours, floor)}${against ? `; ${against}: ${ratio(theirs, floor)}` : ""}`,
  );
}

function ratio(some: Figures[], others: Figures[]): string {
  const of = (name: keyof Figures) =>
    (median(some.map((one) => one[name])) / median(others.map((one) => one[name]))).toFixed(2);
  return `${of("perSecond")} x the checks, ${of("cpuPerCheck")} x the CPU per check`;
}

function show(figures: Figures[]): string {
  const of = (name: keyof Figures, digits: number) =>
    spread(
      figures.map((one) => one[name]),
      digits,
    );
  return `${of("perSecond", 0)} checks/s, ${of("cpuPerCheck", 3)} ms CPU per check, ${of("memory", 0)} MB`;
}
