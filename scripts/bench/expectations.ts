/**
 * Processor time of an HTTP check with expectations, as a ratio to the same check without: with `expect.status` alone,
 * and with one path of a JSON body. Runs only the probe, in this process; the target is a separate process.
 *
 * expectations.ts [--checks N] [--rounds N] [--json BYTES]
 */
import { parseArgs } from "node:util";
import type { Expectations } from "../../src/domain/checks/expectations-schema.ts";
import { createNetwork } from "../../src/probes/connections/network.ts";
import { probe } from "../../src/probes/registry.ts";
import { median, spread } from "./support/figures.ts";
import { startTarget } from "./support/processes.ts";

const { values } = parseArgs({
  options: {
    checks: { type: "string", default: "1000" },
    rounds: { type: "string", default: "15" },
    json: { type: "string", default: "10240" },
  },
});
const [checks, rounds] = [Number(values.checks), Number(values.rounds)];
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

console.log(`${rounds} rounds of ${checks} checks of each kind, in turns, ${AT_ONCE} at once, after one round of warm-up.
CPU is user and system time of this process, which runs only the probes, by getrusage; medians (least to most).
The ratio is the median of the ratios of the rounds. The large body has ${values.json} bytes of JSON.
`);
for (let round = -1; round < rounds; round++) {
  // Each kind is first as often as the others.
  const at = (round + kinds.length) % kinds.length;
  for (const kind of [...kinds.slice(at), ...kinds.slice(0, at)]) {
    const cpu = await measure(kind);
    if (round >= 0) kind.cpu.push(cpu);
  }
}
for (const { name, cpu } of kinds) console.log(`${name.padEnd(24)} ${spread(cpu, 0)} µs CPU per check`);
console.log(
  `expect.status ${ratio(withStatus, without)} (at most 1.05), expect.json ${ratio(withJson, largeWithout)} (at most 1.6)`,
);
await small.stop();
await large.stop();

function ratio(kind: Kind, base: Kind): string {
  const ratios = kind.cpu.map((cpu, at) => cpu / (base.cpu[at] ?? Number.NaN));
  return `${median(ratios).toFixed(3)} x`;
}

async function measure({ port, expect }: Kind): Promise<number> {
  Bun.gc(true);
  let started = 0;
  const before = process.cpuUsage();
  const work = async () => {
    while (started < checks) {
      const url = `http://127.0.1.${1 + (started++ % ADDRESSES)}:${port}/`;
      const config = { url, interval: 60, ...(expect && { expect }) };
      const seen = await probe("HTTP", config, { timeout: 10_000, network });
      if (seen.outcome !== "reached") throw new Error(JSON.stringify(seen));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / checks;
}
