/**
 * Many HTTP monitors on local targets, all of them overdue by an hour, as after a stop: the time until each has been
 * checked. Then, from an interval after the start on: the delay of the start of each check, as the target sees it, against
 * the slot of the monitor; lost checks; memory and processor time. The delay of this program's own timers shows the
 * share of the machine.
 *
 * scale.ts [--monitors N] [--interval SECONDS] [--seconds N] [--rounds N] [--descriptors N] [--against BINARY]
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { descriptorLimit } from "../../src/descriptors.ts";
import { inTurn, quantiles } from "./support/figures.ts";
import { turnedAway } from "./support/listen-queue.ts";
import { cpuTime, createFolder, memory, serveWithin, startTarget } from "./support/processes.ts";
import { createStoreByApi, type StoreByApi } from "./support/store-by-api.ts";

const HOUR = 3_600_000;
const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "20000" },
    interval: { type: "string", default: "60" },
    seconds: { type: "string", default: "300" },
    rounds: { type: "string", default: "1" },
    descriptors: { type: "string", default: String(descriptorLimit()) },
    against: { type: "string" },
  },
});
/** Milliseconds. */
const INTERVAL = 1000 * Number(values.interval);
const [monitors, seconds, rounds, descriptors] = [
  Number(values.monitors),
  Number(values.seconds),
  Number(values.rounds),
  Number(values.descriptors),
];

/** One run of one binary. Times are milliseconds since 1970. */
interface Run {
  binary: string;
  startedAt: number;
  from: number;
  to: number;
  /** When each monitor is due, by its number. */
  dueAt: Map<number, number>;
  recorded: number;
  failures: { message: string; count: number }[];
  turnedAway: number;
  memories: number[];
  cpu: number;
  /** Delays of the timers of this program. */
  own: number[];
}

console.log(
  `${monitors} HTTP monitors at ${INTERVAL / 1000} s, all overdue at the start; measured for ${seconds} s after the first interval; ${descriptors} file descriptors`,
);
using folder = createFolder();
const seenFile = join(folder.path, "seen.json");
const target = await startTarget("--seen", seenFile);
const urls = Array.from(
  { length: monitors },
  (_, at) => `http://127.0.1.${1 + (at % 64)}:${target.said}/${at}`,
);
const subjects: { binary: string; store: StoreByApi }[] = [];
for (const binary of ["dist/stillup", ...(values.against ? [values.against] : [])])
  subjects.push({ binary, store: await createStoreByApi(binary, { urls, interval: INTERVAL / 1000 }) });
const runs: Run[] = [];
for (let round = 0; round < rounds; round++)
  for (const { binary, store } of inTurn(subjects, round)) runs.push(await measure(binary, store));
await target.stop();
for (const { store } of subjects) store[Symbol.dispose]();
const seen: [path: number, at: number][] = await Bun.file(seenFile).json();
for (const run of runs) {
  console.log(`\n${run.binary}`);
  reportCatchUp(run);
  reportSlots(run);
}

async function measure(binary: string, store: StoreByApi): Promise<Run> {
  store.makeDue(Date.now() - HOUR);
  const refused = turnedAway();
  const startedAt = Date.now();
  const options = ["--data-dir", store.folder, "--log-level", "warn"];
  const server = await serveWithin(descriptors, binary, ...options);
  await Bun.sleep(INTERVAL);
  const from = Date.now();
  const cpuBefore = cpuTime(server.pid);
  const [memories, own]: [number[], number[]] = [[memory(server.pid)], []];
  while (Date.now() < from + seconds * 1000) {
    const start = performance.now();
    await Bun.sleep(100);
    own.push(performance.now() - start - 100);
    if (own.length % 50 === 0) memories.push(memory(server.pid));
  }
  const to = Date.now();
  const cpu = cpuTime(server.pid) - cpuBefore;
  await server.stop();
  const recorded = store.count(from) - store.count(to);
  const dueAt = new Map(store.listDue().map((one) => [Number(one.url.replace(/.*\//, "")), one.dueAt]));
  const failures = store.failures(startedAt);
  return {
    ...{ binary, startedAt, from, to, dueAt, recorded, failures },
    ...{ turnedAway: turnedAway() - refused, memories, cpu, own },
  };
}

function reportCatchUp({ startedAt, to }: Run): void {
  const first = new Map<number, number>();
  for (const [path, at] of seen) {
    if (at < startedAt || at >= to) continue;
    first.set(path, Math.min(first.get(path) ?? Number.POSITIVE_INFINITY, at - startedAt));
  }
  const times = [...first.values()].sort((a, b) => a - b);
  const within = [10, 20, 30, 40, 60, 90].map((end) => times.filter((time) => time < end * 1000).length);
  console.log(
    `after the start: ${first.size} of ${monitors} checked, the last one after ${((times.at(-1) ?? 0) / 1000).toFixed(1)} s; after 10, 20, 30, 40, 60, 90 s: ${within.join(", ")}`,
  );
  const perTenth = Map.groupBy(times, (at) => Math.floor(at / 100));
  console.log(
    `  most first starts in a tenth of a second: ${Math.max(...[...perTenth.values()].map(({ length }) => length))}`,
  );
}

function reportSlots({ from, to, dueAt, recorded, failures, turnedAway, memories, cpu, own }: Run): void {
  const measured = seen.filter(([, at]) => at >= from && at < to);
  // All slots of a monitor are whole intervals apart.
  const phaseOf = (path: number) => (dueAt.get(path) ?? 0) % INTERVAL;
  const slotOf = (path: number, at: number) => Math.floor((at - phaseOf(path)) / INTERVAL);
  const lateness = measured.map(([path, at]) => at - phaseOf(path) - slotOf(path, at) * INTERVAL);
  const slots = measured.map(([path, at]) => `${path} ${slotOf(path, at)}`);
  const expected = urls.reduce((sum, _, path) => sum + slotOf(path, to - 1) - slotOf(path, from - 1), 0);
  console.log(`lateness of the starts, at the target: ${quantiles(lateness, 1)}`);
  console.log(
    `  more than 100 ms late: ${lateness.filter((late) => late > 100).length}; lateness of 100 ms timers in this program: ${quantiles(own, 1)}`,
  );
  console.log(
    `slots ${expected}, requests ${slots.length}, of them twice in a slot ${slots.length - new Set(slots).size}, recorded ${recorded}`,
  );
  console.log(
    `failed since the start: ${failures.map(({ message, count }) => `${count} ${message}`).join(", ") || 0}; connections that the target's queue was too full for: ${turnedAway}`,
  );
  console.log(
    `memory: first ${memories[0]?.toFixed(0)} MB, last ${memories.at(-1)?.toFixed(0)} MB, most ${Math.max(...memories).toFixed(0)} MB`,
  );
  console.log(
    `CPU: ${((100 * cpu) / (to - from)).toFixed(1)} % of a core, ${(cpu / recorded).toFixed(3)} ms per check`,
  );
}
