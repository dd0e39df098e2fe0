/**
 * Processor time of an HTTP check from due to recorded: of a previous binary, of this one with monitors that use no
 * dependencies, windows, delays and reminders, and of this one with monitors that use all of them. The statuses do not change.
 *
 * calm.ts --base BINARY [--rate PER_SECOND] [--seconds N] [--rounds N]
 */
import { parseArgs } from "node:util";
import { createMonitors, type Server, startServer } from "./locations/scene.ts";
import { median, spread } from "./support/figures.ts";
import { cpuTime, startTarget } from "./support/processes.ts";

const { values } = parseArgs({
  options: {
    base: { type: "string" },
    rate: { type: "string", default: "300" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "7" },
  },
});
if (!values.base) {
  console.error(
    "--base is missing: the path of a binary to compare with, for example that of the last release",
  );
  process.exit(2);
}
const { base } = values;
const [rate = 0, seconds = 0, rounds = 0] = [values.rate, values.seconds, values.rounds].map(Number);
const WARM_UP = 5000;
/** Addresses of 127.0.0.0/8, because one address runs out of ports after 28,000 connections within a minute. */
const ADDRESSES = 64;
/** Every so many monitors are parents of the others. */
const FAMILY = 10;

interface Kind {
  name: string;
  binary: string;
  configure: (server: Server) => Promise<void>;
  /** Microseconds of processor time of one check, by round. */
  cpu: number[];
}

const target = await startTarget();
const monitorOf = (at: number) => ({
  config: { url: `http://127.0.1.${1 + (at % ADDRESSES)}:${target.said}/`, interval: 1 },
});
const plain = async (server: Server) => void (await createMonitors(server, rate, monitorOf));
const before: Kind = { name: "before", binary: base, configure: plain, cpu: [] };
const unused: Kind = { name: "now, unused", binary: "dist/stillup", configure: plain, cpu: [] };
const used: Kind = { name: "now, used by all", binary: "dist/stillup", configure: configureAll, cpu: [] };
const kinds = [before, unused, used];

console.log(
  `${rounds} rounds of ${seconds} s at ${rate} checks a second of each kind, after ${WARM_UP / 1000} s of warm-up, in turns. CPU is user and
system time of the server from /proc, by rows in check_results. Medians (least to most); a ratio is the median of the
ratios of the rounds.`,
);
for (let round = 0; round < rounds; round++) {
  // Each kind is first as often as the others.
  const first = round % kinds.length;
  for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)]) kind.cpu.push(await measure(kind));
}
await target.stop();
for (const { name, cpu } of kinds) console.log(`  ${name.padEnd(18)} ${spread(cpu, 0)} µs CPU per check`);
console.log(`  unused ${ratio(unused, before)} (at most 1.03), used by all ${ratio(used, before)}`);

/** Each monitor has tags, a parent, delays and reminders, and is selected by windows that are not open. */
async function configureAll(server: Server): Promise<void> {
  const config = { url: "http://127.0.0.1:9/" };
  const channel = await server.api("POST", "alerts", { name: "hook", type: "WEBHOOK", config });
  const alertBindings = [{ alertChannelId: channel.id, after: 300, every: 3600 }];
  const tags = ["shop", "env:prod"];
  const parents = await createMonitors(server, Math.ceil(rate / FAMILY), (at) => ({
    ...monitorOf(at),
    ...{ tags, alertBindings },
  }));
  await createMonitors(server, rate - parents.length, (at) => ({
    ...monitorOf(at),
    ...{ tags, alertBindings, dependsOn: [parents[at % parents.length]] },
  }));
  for (const tag of tags)
    await server.api("POST", "maintenances", {
      title: `updates of ${tag}`,
      selector: { tags: [tag] },
      cron: "30 3 1 1 *",
      timezone: "Europe/Berlin",
      duration: 3600,
    });
}

async function measure({ binary, configure }: Kind): Promise<number> {
  await using server = await startServer(binary);
  await configure(server);
  await Bun.sleep(WARM_UP);
  const [from, cpuBefore] = [Date.now(), cpuTime(server.pid)];
  await Bun.sleep(seconds * 1000);
  const [to, cpu] = [Date.now(), cpuTime(server.pid) - cpuBefore];
  return (cpu * 1000) / server.countResults(from, to);
}

function ratio(kind: Kind, other: Kind): string {
  const ratios = kind.cpu.map((cpu, at) => cpu / (other.cpu[at] ?? Number.NaN));
  return `${median(ratios).toFixed(3)} x`;
}
