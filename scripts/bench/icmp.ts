/**
 * Processor time of pings, alone and as checks, and the error of their round trips, compared with the times at which the kernel sent
 * and received the packets (AF_PACKET). The mean round trip of `ping` of iputils is from the same run. All
 * packets stay on the loopback interface of a network namespace of its own. Requires root and two cores.
 *
 * icmp.ts [--rate PINGS_PER_SECOND] [--seconds N] [--rounds N]
 */
import { parseArgs } from "node:util";
import type { PingFacts } from "../../src/domain/checks/ping.ts";
import { createNetwork } from "../../src/probes/connections/network.ts";
import { AF_INET } from "../../src/probes/ping/libc.ts";
import { pingAddress } from "../../src/probes/ping/ping-address.ts";
import { Pinger } from "../../src/probes/ping/pinger.ts";
import { probe } from "../../src/probes/registry.ts";
import { median, quantile, spread } from "./support/figures.ts";
import { PacketLog } from "./support/packet-log.ts";

const INSIDE = "BENCH_NAMESPACE";
const RANGE = "/proc/sys/net/ipv4/ping_group_range";
const HOST = "127.0.0.1";
/** Pings of a check. */
const COUNT = 5;
/** Milliseconds between two groups that start together. */
const EVERY = 5;

const { values } = parseArgs({
  options: {
    rate: { type: "string", default: "5000" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
  },
});
const [rate, seconds, rounds] = [Number(values.rate), Number(values.seconds), Number(values.rounds)];

if (process.env[INSIDE] === undefined) {
  // The kernel handles what arrives on another core, as a network card and a target elsewhere would.
  const elsewhere = "mount -t sysfs sysfs /sys && echo 2 >/sys/class/net/lo/queues/rx-0/rps_cpus";
  const inside = [
    "sh",
    "-ec",
    `ip link set lo up; echo 0 0 >${RANGE}; ${elsewhere}; exec taskset -c 0 "$@"`,
    "sh",
  ];
  const command = ["unshare", "--net", "--mount", ...inside, process.execPath, ...process.argv.slice(1)];
  const child = Bun.spawn(command, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, [INSIDE]: "1" },
  });
  process.exit(await child.exited);
}

const address = pingAddress(HOST);
const alone = new Pinger(AF_INET);
const network = createNetwork({ privateTargets: "allow" });
const config = { host: HOST, protocol: "icmp", count: COUNT, interval: 60 } as const;
const check = () => probe("TCP", config, { timeout: 5000, network });

/**
 * @param start one unit of work, which has some pings
 * @returns the share of a core, how many pings were sent, and how many had no reply
 */
async function load(pings: number, start: () => void) {
  [sent, received] = [0, 0];
  const [before, begin] = [process.cpuUsage(), performance.now()];
  const passed = () => performance.now() - begin;
  const perUnit = (1000 * pings) / rate;
  for (let started = 0; passed() < seconds * 1000; ) {
    for (; started * perUnit < passed(); started++) start();
    await Bun.sleep(EVERY);
  }
  const { user, system } = process.cpuUsage(before);
  const share = (user + system) / 1000 / passed();
  await Bun.sleep(1500);
  return { share, sent, lost: sent - received };
}

let [sent, received] = [0, 0];

const WORK = {
  check: {
    pings: COUNT,
    async start() {
      const seen = await check();
      const facts =
        seen.outcome === "reached" ? (seen.detail.ping as PingFacts) : { sent: COUNT, received: 0 };
      sent += facts.sent;
      received += facts.received;
    },
  },
  ping: {
    pings: 1,
    start() {
      sent++;
      alone.send(address, { size: 32, onReply: () => received++, onUnreachable() {} });
    },
  },
};

/** The errors of single round trips, in milliseconds, at a tenth of the rate. */
async function errors() {
  const log = new PacketLog();
  const pinger = new Pinger(AF_INET);
  const reported = new Map<number, number>();
  let sequence = 0;
  pinger.use();
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    for (let group = 0; group < (rate * EVERY) / 10_000; group++) {
      const own = ++sequence;
      pinger.send(address, { size: 32, onReply: (ms) => reported.set(own, ms), onUnreachable() {} });
    }
    await Bun.sleep(EVERY);
    log.read();
  }
  await Bun.sleep(50);
  log.read();
  pinger.release();
  return [...reported].map(([own, ms]) => {
    const [sent = Number.NaN, received = Number.NaN] = [log.requests.get(own), log.replies.get(own)];
    return { ms, error: Math.abs(ms - (received - sent)) };
  });
}

/** The mean that `ping` of iputils reports, in milliseconds; undefined without it. */
async function meanOfPing(): Promise<number | undefined> {
  if (Bun.which("ping") === null) return undefined;
  const child = Bun.spawn(["ping", "-q", "-c", "500", "-i", "0.01", "-s", "32", HOST], { stdout: "pipe" });
  const [, mean] = /= [\d.]+\/([\d.]+)\//.exec(await new Response(child.stdout).text()) ?? [];
  return Number(mean);
}

const figure = (ms: number | undefined) => (ms === undefined ? "not installed" : `${ms.toFixed(4)} ms`);

await check();
console.log(`${rate} pings a second, ${rounds} rounds of ${seconds} s`);
alone.use();
for (const [kind, { pings, start }] of Object.entries(WORK)) {
  const shares: number[] = [];
  let [all, lost] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const empty = await load(pings, () => {});
    const full = await load(pings, start);
    shares.push((full.share - empty.share) * 100);
    all += full.sent;
    lost += full.lost;
  }
  const of = pings > 1 ? `${kind}s of ${pings} pings` : `${kind}s alone`;
  console.log(`${of}: ${spread(shares, 1)} % of a core; ${lost} of ${all} lost`);
}
alone.release();
const seen = await errors();
const all = seen.map(({ error }) => error);
const mean = seen.reduce((sum, { ms }) => sum + ms, 0) / seen.length;
console.log(
  `error of ${seen.length} round trips: median ${figure(median(all))}, p99 ${figure(quantile(all, 0.99))}, greatest ${figure(Math.max(...all))}`,
);
console.log(`mean round trip: ${figure(mean)}, of ping: ${figure(await meanOfPing())}`);
process.exit();
