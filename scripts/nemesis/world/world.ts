/**
 * The targets, jobs and receivers of one run in a process of their own. It follows the scenario of its seed by itself, and
 * logs when each target was down, what arrived there, what the jobs sent, and what the receivers got.
 */
import { createAuthority } from "../../../test/support/servers/certificates.ts";
import { type Replier, startDnsServer } from "../../../test/support/servers/dns-server.ts";
import type { Span } from "../log.ts";
import { CHANNELS, type PlannedTarget, planScenario } from "../plan/scenario.ts";
import { Job } from "./job.ts";
import type { Answer, Begin, Listening, Order, Report } from "./messages.ts";
import { Receivers } from "./receivers.ts";
import { type Switch, startTarget } from "./target.ts";

/**
 * A timer of this process that is later than this is a stall; milliseconds. A latency is degraded from 50 ms above the mean on, and a
 * node explains up to 25 of them by itself: the targets, which are here, explain the rest.
 */
const STALL = 20;
const TICK = 10;

const switches = new Map<string, Switch>();
const jobs = new Map<string, Job>();
const arrivals: Record<string, number[]> = {};
const outages: Record<string, Span[]> = {};
const stalls: Span[] = [];
let targets: PlannedTarget[] = [];
let receivers: Receivers | undefined;

watchStalls();
process.on("disconnect", () => process.exit());
process.on("message", async (order: Order) => process.send?.(await obey(order)));

async function obey(order: Order): Promise<Answer> {
  if ("listen" in order) return { listening: await listen(order.listen) };
  if ("begin" in order) {
    begin(order.begin);
    return { begun: true };
  }
  await Promise.all([...jobs.values()].map((job) => job.finish()));
  return { report: report() };
}

async function listen({
  address,
  seed,
  ...options
}: Extract<Order, { listen: unknown }>["listen"]): Promise<Listening> {
  targets = planScenario(seed, options).targets;
  const certificate = await (await createAuthority()).issue([{ type: "dns", value: "targets.test" }]);
  const replies: Record<string, Replier> = {};
  const dns = await startDnsServer(replies, { host: address });
  const ports: Record<string, number> = {};
  for (const { name, type, manner } of targets) {
    const times: number[] = [];
    arrivals[name] = times;
    outages[name] = [];
    if (type === "SCHEDULED") continue;
    const onArrival = () => times.push(Date.now());
    const target =
      type === "DNS"
        ? nameIn(replies, `${name}.test`, { address, onArrival })
        : await startTarget({ type, manner, address, certificate, onArrival });
    switches.set(name, target);
    ports[name] = target.port;
  }
  receivers = new Receivers(address, seed);
  const urls = CHANNELS.map((channel) => [channel, receivers?.urlOf(channel) ?? ""]);
  return { dnsPort: dns.port, ports, receivers: Object.fromEntries(urls) };
}

/** A name that has an IPv4 address while it is up. Checks ask for no other address. */
function nameIn(
  replies: Record<string, Replier>,
  name: string,
  { address, onArrival }: { address: string; onArrival: () => void },
): Switch {
  let isUp = true;
  replies[name] = () => {
    onArrival();
    return isUp ? [{ type: "A", name, data: address }] : { code: "NXDOMAIN" };
  };
  const become = (state: boolean) => () => {
    isUp = state;
  };
  return { port: 0, up: become(true), down: become(false) };
}

function begin({ at, nodes, checkins }: Begin): void {
  for (const { name, job, outages: planned } of targets) {
    if (job) {
      const own = new Job({ name, nodes, path: checkins[name] ?? "", ...job });
      jobs.set(name, own);
      switches.set(name, own);
      own.up();
    }
    for (const { from, to } of planned) {
      runAt(at + from, () => takeDown(name));
      runAt(at + to, () => bringUp(name));
    }
  }
}

function runAt(time: number, task: () => Promise<void>): void {
  setTimeout(() => void task(), time - Date.now());
}

/** An outage is logged from before the first failure until after the last one. */
async function takeDown(name: string): Promise<void> {
  outages[name]?.push({ from: Date.now(), to: Number.POSITIVE_INFINITY });
  await switches.get(name)?.down();
}

async function bringUp(name: string): Promise<void> {
  await switches.get(name)?.up();
  const last = outages[name]?.at(-1);
  if (last) last.to = Date.now();
}

function report(): Report {
  const checkins = Object.fromEntries([...jobs].map(([name, job]) => [name, job.sent]));
  return { arrivals, outages, checkins, attempts: receivers?.attempts ?? [], stalls };
}

function watchStalls(): void {
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    if (now - last > TICK + STALL) stalls.push({ from: Date.now() - (now - last), to: Date.now() });
    last = now;
  }, TICK);
}
