/**
 * Processor time of an HTTP check with expectations, as a ratio to the same check without: with `expect.status` alone,
 * and with one path of a JSON body. First the whole check from due to recorded in the compiled server, then the probe
 * alone in this process. The target is a separate process.
 *
 * expectations.ts [--checks N] [--rounds N] [--json BYTES] [--rate PER_SECOND] [--seconds N] [--server-rounds N]
 */
import { parseArgs } from "node:util";
import type { Expectations } from "../../src/domain/checks/expectations-schema.ts";
import { createNetwork } from "../../src/probes/connections/network.ts";
import { probe } from "../../src/probes/registry.ts";
import { median, spread } from "./support/figures.ts";
import { cpuTime, createStore, serve, startTarget } from "./support/processes.ts";

const { values } = parseArgs({
  options: {
    checks: { type: "string", default: "1000" },
    rounds: { type: "string", default: "15" },
    json: { type: "string", default: "10240" },
    rate: { type: "string", default: "300" },
    seconds: { type: "string", default: "5" },
    "server-rounds": { type: "string", default: "5" },
  },
});
const [checks, rounds] = [Number(values.checks), Number(values.rounds)];
const [rate, seconds, serverRounds] = [values.rate, values.seconds, values["server-rounds"]].map(Number);
const WARM_UP = 3000;
/** Addresses of 127.0.0.0/8, because one address runs out of ports after 28,000 connections within a minute. */
const ADDRESSES = 64;
const AT_ONCE = 8;

const network = createNetwork({ privateTargets: "allow" });
const small = await startTarget();
const large = await startTarget("--json", values.json);

interface Kind {
  name: string;
  port: string;
  expect?: Expectations;
  /** Microseconds of processor time of one check, by round. */
  cpu: number[];
}
const without: Kind = { name: "without expectations", port: small.said, cpu: [] };
const withStatus: Kind = { name: "expect.status", port: small.said, expect: { status: ["2xx"] }, cpu: [] };
const largeWithout: Kind = { name: "large body, without", port: large.said, cpu: [] };
const withJson: Kind = {
  name: "large body, expect.json",
  port: large.said,
  expect: { json: { "$.queue.depth": { max: 10 } } },
  cpu: [],
};
const kinds = [without, withStatus, largeWithout, withJson];

console.log(`Whole checks in the compiled server: ${serverRounds} rounds of ${seconds} s at ${rate} checks a second of each kind, after ${WARM_UP / 1000} s
of warm-up, in turns; CPU is user and system time of the server from /proc, by rows in check_results.`);
await compare(serverRounds ?? 0, measureServer);
console.log(`
Probes alone: ${rounds} rounds of ${checks} checks of each kind, in turns, ${AT_ONCE} at once, after one round of warm-up; CPU is user
and system time of this process, by getrusage.`);
for (const kind of kinds) await measureProbe(kind);
await compare(rounds, measureProbe);
console.log(`
Medians (least to most); a ratio is the median of the ratios of the rounds. The large body has about ${values.json} bytes.`);
await small.stop();
await large.stop();

async function compare(times: number, measure: (kind: Kind) => Promise<number>): Promise<void> {
  for (const kind of kinds) kind.cpu = [];
  for (let round = 0; round < times; round++) {
    // Each kind is first as often as the others.
    const at = round % kinds.length;
    for (const kind of [...kinds.slice(at), ...kinds.slice(0, at)]) kind.cpu.push(await measure(kind));
  }
  for (const { name, cpu } of kinds) console.log(`  ${name.padEnd(24)} ${spread(cpu, 0)} µs CPU per check`);
  const ratios = [ratio(withStatus, without), ratio(withJson, largeWithout)];
  console.log(`  expect.status ${ratios[0]} (at most 1.05), expect.json ${ratios[1]} (at most 1.6)`);
}

async function measureServer({ port, expect }: Kind): Promise<number> {
  const configs = Array.from({ length: rate ?? 0 }, (_, at) => ({
    ...configOf(at, port, expect),
    interval: 1,
  }));
  using store = await createStore(configs.map((config) => ({ type: "HTTP", config })));
  const server = await serve(store.folder, "--log-level", "warn");
  const count = () =>
    store.query<{ count: number }>("SELECT count(*) AS count FROM check_results")[0]?.count ?? 0;
  await Bun.sleep(WARM_UP);
  const [before, cpuBefore] = [count(), cpuTime(server.pid)];
  await Bun.sleep((seconds ?? 0) * 1000);
  const [cpu, recorded] = [cpuTime(server.pid) - cpuBefore, count() - before];
  const down = store.results(0).filter(({ status }) => status === "down");
  if (down.length > 0) throw new Error(`${down.length} down: ${JSON.stringify(down[0])}`);
  await server.stop();
  return (cpu * 1000) / recorded;
}

function configOf(at: number, port: string, expect: Expectations | undefined) {
  return { url: `http://127.0.1.${1 + (at % ADDRESSES)}:${port}/`, interval: 60, ...(expect && { expect }) };
}

function ratio(kind: Kind, base: Kind): string {
  const ratios = kind.cpu.map((cpu, at) => cpu / (base.cpu[at] ?? Number.NaN));
  return `${median(ratios).toFixed(3)} x`;
}

async function measureProbe({ port, expect }: Kind): Promise<number> {
  Bun.gc(true);
  let started = 0;
  const before = process.cpuUsage();
  const work = async () => {
    while (started < checks) {
      const seen = await probe("HTTP", configOf(started++, port, expect), { timeout: 10_000, network });
      if (seen.outcome !== "reached") throw new Error(JSON.stringify(seen));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / checks;
}
