/**
 * Many HTTP monitors at 60 s on local targets: the delay of the start of each check, as the target sees it, against
 * the slot of the monitor's ID; lost checks; memory and processor time. Then a restart after a stop in which every
 * monitor became overdue: the time until each has been checked. The delay of this program's own timers shows the
 * share of the machine.
 *
 * scale.ts [--monitors N] [--seconds N]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { nextCheckAt } from "../../src/domain/checks/check-slot.ts";
import { quantiles } from "./support/figures.ts";
import { cpuTime, createStore, memory, serve, startTarget } from "./support/processes.ts";

const INTERVAL = 60_000;
const { values } = parseArgs({
  options: { monitors: { type: "string", default: "20000" }, seconds: { type: "string", default: "300" } },
});
const [monitors, seconds] = [Number(values.monitors), Number(values.seconds)];

const folder = mkdtempSync(join(tmpdir(), "stillup-bench-"));
const seenFile = join(folder, "seen.json");
let target = await startTarget("--seen", seenFile);
const configs = Array.from({ length: monitors }, (_, at) => ({
  url: `http://127.0.1.${1 + (at % 64)}:${target.said}/${at}`,
  interval: INTERVAL / 1000,
}));
using store = await createStore(configs.map((config) => ({ type: "HTTP", config })));
console.log(
  `${monitors} HTTP monitors at ${INTERVAL / 1000} s, due at once at the start; measured for ${seconds} s after the first minute`,
);

let server = await serve(store.folder, "--log-level", "warn");
await Bun.sleep(INTERVAL);
const from = Date.now();
const cpuBefore = cpuTime(server.pid);
const memories: number[] = [];
const own: number[] = [];
while (Date.now() < from + seconds * 1000) {
  const start = performance.now();
  await Bun.sleep(100);
  own.push(performance.now() - start - 100);
  if (own.length % 50 === 0) memories.push(memory(server.pid));
}
const to = Date.now();
const cpu = cpuTime(server.pid) - cpuBefore;
const recorded = count(`created_at >= ${from} AND created_at < ${to}`);
const bad = store.results(from, to).filter(({ status }) => status !== "up").length;
await server.stop();
await target.stop();
const seen: [number, number, number][] = await Bun.file(seenFile).json();
report(seen.filter(([, at]) => at >= from && at < to));

// All monitors were due an hour ago, as after a stop of an hour.
store.query(`UPDATE monitor_states SET next_check_at = next_check_at - 3600000`);
target = await startTarget("--seen", seenFile);
store.query(
  `UPDATE monitors SET config = json_set(config, '$.url', 'http://127.0.1.' || (1 + (pk - 1) % 64) || ':${target.said}/' || (pk - 1))`,
);
const restarted = Date.now();
server = await serve(store.folder, "--log-level", "warn");
while (count(`created_at >= ${restarted}`) < monitors && Date.now() < restarted + 60_000)
  await Bun.sleep(100);
await Bun.sleep(500);
await server.stop();
await target.stop();
const again: [number, number, number][] = await Bun.file(seenFile).json();
const first = new Map<number, number>();
for (const [path, at] of again) first.set(path, Math.min(first.get(path) ?? at, at));
console.log(
  `after a restart: ${first.size} of ${monitors} checked, the last one ${((Math.max(...first.values()) - restarted) / 1000).toFixed(1)} s after the start of the process`,
);
const perTenth = Map.groupBy(first.values(), (at) => Math.floor((at - restarted) / 100));
console.log(
  `  most starts in a tenth of a second: ${Math.max(...[...perTenth.values()].map(({ length }) => length))}`,
);
rmSync(folder, { recursive: true });

function report(measured: [number, number, number][]): void {
  const lateness = measured.map(([path, at]) => (((at - phaseOf(path)) % INTERVAL) + INTERVAL) % INTERVAL);
  const slots = measured.map(([path, at]) => `${path} ${Math.floor((at - phaseOf(path)) / INTERVAL)}`);
  const expected = configs.reduce((sum, _, path) => sum + slotsOf(path), 0);
  console.log(`lateness of the starts, at the target: ${quantiles(lateness, 1)}`);
  console.log(
    `  more than 100 ms late: ${lateness.filter((late) => late > 100).length}; lateness of 100 ms timers in this program: ${quantiles(own, 1)}`,
  );
  console.log(
    `slots ${expected}, requests ${slots.length}, of them twice in a slot ${slots.length - new Set(slots).size}, recorded ${recorded}, not "up" ${bad}`,
  );
  console.log(
    `memory: first ${memories[0]?.toFixed(0)} MB, last ${memories.at(-1)?.toFixed(0)} MB, most ${Math.max(...memories).toFixed(0)} MB`,
  );
  console.log(
    `CPU: ${((100 * cpu) / (to - from)).toFixed(1)} % of a core, ${(cpu / recorded).toFixed(3)} ms per check`,
  );
}

/** Slot of a monitor within its interval, in milliseconds. */
function phaseOf(path: number): number {
  return nextCheckAt(store.ids[path] ?? "", INTERVAL / 1000, 0) % INTERVAL;
}

/** Number of slots of a monitor in the measured time. */
function slotsOf(path: number): number {
  const before = (time: number) => Math.floor((time - 1 - phaseOf(path)) / INTERVAL);
  return before(to) - before(from);
}

function count(where: string): number {
  return (
    store.query<{ count: number }>(`SELECT count(*) AS count FROM check_results WHERE ${where}`)[0]?.count ??
    0
  );
}
