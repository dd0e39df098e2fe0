/**
 * Measures the cost of locations, and how long they take to agree. Two servers run at the same time, each on its own database, so that
 * the machine disturbs both alike:
 *
 * - one whose probes check all monitors from three locations;
 * - one that does as many checks a second by itself: three times as many monitors, without locations.
 *
 * After the first minute, it compares the processor time of both servers for each check, and measures the probes. Then
 * monitors whose target fails and recovers again and again show the time from the first check that failed, at any location, to the
 * arrival of the webhook, which needs the checks of two locations.
 *
 * locations.ts [--monitors N] [--interval S] [--seconds N] [--changes SECONDS]
 */
import { parseArgs } from "node:util";
import { measureAgreement } from "./locations/agreement.ts";
import { createMonitors, createProbes, startServer } from "./locations/scene.ts";
import { cpuTime, memory, startTarget } from "./support/processes.ts";

const LOCATIONS = ["fra", "nyc", "sgp"];
const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "2000" },
    interval: { type: "string", default: "60" },
    seconds: { type: "string", default: "180" },
    changes: { type: "string", default: "60" },
  },
});
const [monitors, interval, seconds] = [
  Number(values.monitors),
  Number(values.interval),
  Number(values.seconds),
];

const target = await startTarget();
const urlOf = (at: number) => `http://127.0.1.${1 + (at % 64)}:${target.said}/${at}`;
await using alone = await startServer();
await using server = await startServer();
const probes = await createProbes(server, LOCATIONS);
const locations = probes.map(({ id }) => id);
console.log(
  `${LOCATIONS.length} locations × ${monitors} HTTP monitors at ${interval} s, beside a server that does the same ${
    LOCATIONS.length * monitors
  } checks alone; measured for ${seconds} s after the first minute`,
);
await createMonitors(server, monitors, (at) => ({ config: { url: urlOf(at), interval }, locations }));
await createMonitors(alone, LOCATIONS.length * monitors, (at) => ({ config: { url: urlOf(at), interval } }));
await Bun.sleep(60_000);

const measured = [alone, server, ...probes];
const [from, before] = [Date.now(), measured.map(({ pid }) => cpuTime(pid))];
await Bun.sleep(seconds * 1000);
const to = Date.now();
const cpuOf = (at: number) => (after[at] ?? 0) - (before[at] ?? 0);
const after = measured.map(({ pid }) => cpuTime(pid));
// A probe sends what it saw within a second.
await Bun.sleep(3000);
const checks = server.countResults(from, to);

show("server alone", { pid: alone.pid, used: cpuOf(0), done: alone.countResults(from, to) });
show("server with locations", { pid: server.pid, used: cpuOf(1), done: checks });
for (const [at, probe] of probes.entries()) {
  show(`probe ${probe.name}`, { pid: probe.pid, used: cpuOf(2 + at), done: checks / probes.length });
}
await measureAgreement(server, { locations, seconds: Number(values.changes) });
for (const probe of probes) await probe.stop();
await target.stop();

/** @param used milliseconds of processor time @param done checks */
function show(
  name: string,
  { pid, used = 0, done = 0 }: { pid: number; used?: number; done?: number },
): void {
  const share = ((100 * used) / (to - from)).toFixed(2);
  const each = (used / done).toFixed(3);
  console.log(
    `${name.padEnd(22)} ${share} % of a core, ${each} ms for each of ${done.toFixed(0)} checks, memory ${memory(pid).toFixed(0)} MB`,
  );
}
