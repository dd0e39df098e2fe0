import { expect, test } from "bun:test";
import { decode, encode } from "dns-packet";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import { OpenSockets } from "../../../src/probes/connections/network.ts";
import { createDnsClient, ownWaitOf } from "../../../src/probes/dns/dns-client.ts";
import { type DnsTransport, type Received, systemTransport } from "../../../src/probes/dns/dns-exchange.ts";
import { eventually } from "../../support/eventually.ts";
import { observation } from "../../support/probes/observation.ts";
import { type Replier, type Reply, startDnsServer } from "../../support/servers/dns-server.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";

const HOST = "asked.test";
const OTHER = "other.test";
const TIMEOUT = 2000;
const OK = answer("200 OK", ["Content-Length: 2"], "ok");
const found: Reply = [{ type: "A", name: HOST, data: "127.0.0.1" }];

/** A DNS server that loses the first query about the host, and when it was asked. */
async function startLossyDns() {
  const askedAt: number[] = [];
  const lossy: Replier = (times) => {
    askedAt.push(performance.now());
    return times === 1 ? "silence" : found;
  };
  const dns = await startDnsServer({ [`A ${HOST}`]: lossy, [`AAAA ${HOST}`]: [] });
  const waited = () => (askedAt[1] ?? 0) - (askedAt[0] ?? 0);
  return { dns, waited, [Symbol.dispose]: () => dns[Symbol.dispose]() };
}

const observe = (type: "HTTP" | "TCP", port: number, dns: Parameters<typeof observation>[2]) => {
  const config = type === "HTTP" ? { url: `http://${HOST}:${port}/` } : { host: HOST, port };
  return observation(type, config as MonitorConfig<"HTTP">, { timeout: TIMEOUT, ...dns });
};

test.each(["HTTP", "TCP"] as const)(
  "behavior 4.23: the wait before the repetition of a lost query is no slowness of the target of an %s monitor",
  async (type) => {
    using lossy = await startLossyDns();
    using target = await startHttpServer(() => OK);
    const seen = await observe(type, target.port, { dnsServers: [lossy.dns] });
    if (seen.outcome !== "reached") throw new Error(JSON.stringify(seen));
    expect(Math.ceil(seen.lateBy ?? 0)).toBeGreaterThanOrEqual(Math.floor(lossy.waited()));
    expect(seen.latencyMs).toBeGreaterThanOrEqual(seen.lateBy ?? 0);
  },
);

test("behavior 4.23: the wait before the repetition of a lost query does not count towards the timeout", async () => {
  using lossy = await startLossyDns();
  using target = await startHttpServer(() => async (socket) => {
    await Bun.sleep(TIMEOUT * 0.7);
    socket.end(OK);
  });
  expect(await observe("HTTP", target.port, { dnsServers: [lossy.dns] })).toMatchObject({
    outcome: "reached",
  });
});

test("behavior 4.23, 10.100: the wait before the repetition of a lost query is no slowness of any address", async () => {
  using lossy = await startLossyDns();
  using target = await startHttpServer(() => OK);
  const start = performance.now();
  const config = { url: `http://${HOST}:${target.port}/`, everyAddress: true };
  const seen = await observation("HTTP", config, { timeout: TIMEOUT, dnsServers: [lossy.dns] });
  const whole = performance.now() - start;
  if (seen.outcome !== "by_address") throw new Error(JSON.stringify(seen));
  const [{ evidence }] = seen.addresses as [(typeof seen.addresses)[number]];
  expect(evidence.latencyMs).toBeLessThanOrEqual(whole - lossy.waited() + 1);
});

test("behavior 4.23: a name that the DNS is slow about is slow", async () => {
  using dns = await startDnsServer({
    [`A ${HOST}`]: { late: found, ms: TIMEOUT * 0.6 },
    [`AAAA ${HOST}`]: [],
  });
  using target = await startHttpServer(() => OK);
  const seen = await observe("HTTP", target.port, { dnsServers: [dns] });
  expect(dns.queries.filter((query) => query === `A ${HOST}`)).toHaveLength(2);
  expect(seen).toMatchObject({ outcome: "reached" });
  expect(seen).not.toHaveProperty("lateBy");
});

test("behavior 4.23: a name is slow whose queries are all answered at once, in any order", async () => {
  const sent: { message: Buffer; received: Received }[] = [];
  const timers: { ms: number; expire: () => void }[] = [];
  const transport: DnsTransport = {
    ...systemTransport,
    udp(_, message, received) {
      sent.push({ message, received });
      return { close() {} };
    },
    after(ms, expire) {
      timers.push({ ms, expire });
      return { close() {} };
    },
  };
  const queries = () => sent.filter(({ message }) => decode(message).questions?.[0]?.name === HOST);
  const reply = ({ message, received }: (typeof sent)[number]) => {
    const { id = 0, questions = [] } = decode(message);
    received.data(encode({ type: "response", id, questions, answers: found }));
  };
  const server = { address: "192.0.2.53", port: 53 };
  const asked = createDnsClient([server], new OpenSockets(), { transport }).ask(
    { name: HOST, type: "A" },
    TIMEOUT,
  );
  await eventually(() => timers.length === 2);
  timers.toSorted((a, b) => a.ms - b.ms)[0]?.expire();
  await eventually(() => queries().length === 2);
  for (const query of queries().toReversed()) reply(query);
  expect(ownWaitOf(await asked)).toBe(0);
});

test.each<[string, Replier | Reply, { root: Reply; isOwn: boolean }]>([
  ["is dead", "silence", { root: "silence", isOwn: true }],
  ["works again", (times) => (times === 1 ? "silence" : found), { root: "silence", isOwn: true }],
  ["answers about other names", "silence", { root: [], isOwn: false }],
])("behavior 4.23: a first DNS server that %s", async (_, reply, { root, isOwn }) => {
  using first = await startDnsServer({ [HOST]: reply, ".": root });
  using second = await startDnsServer({ [HOST]: found });
  const client = createDnsClient([first, second], new OpenSockets());
  const lookup = await client.ask({ name: HOST, type: "A" }, TIMEOUT);
  expect(lookup.values).toEqual(["127.0.0.1"]);
  expect(ownWaitOf(lookup) > 0).toBe(isOwn);
});

test("behavior 4.23: the wait for a lost query is due to the DNS server also if that answers about other names meanwhile", async () => {
  using lossy = await startLossyDns();
  const { dns } = lossy;
  const client = createDnsClient([dns], new OpenSockets());
  const asked = client.ask({ name: HOST, type: "A" }, TIMEOUT);
  await eventually(() => dns.queries.length === 1);
  expect(await client.ask({ name: OTHER, type: "A" }, TIMEOUT)).toMatchObject({ failure: "nxdomain" });
  expect(ownWaitOf(await asked)).toBeGreaterThan(0);
});
