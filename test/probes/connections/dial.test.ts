import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import { Lifetime } from "../../../src/probes/lifetime.ts";
import { eventually } from "../../support/eventually.ts";
import { observation } from "../../support/probes/observation.ts";
import { startDeafServer } from "../../support/servers/deaf-server.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import { startServer } from "../../support/servers/tcp-server.ts";

const NAME = "many.test";
const a = (data: string) => ({ type: "A" as const, name: NAME, data });
const aaaa = (data: string) => ({ type: "AAAA" as const, name: NAME, data });
const loopbacks = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `127.0.${Math.floor((from + at) / 250)}.${(from + at) % 250}`);

const openDescriptors = () => readdirSync("/proc/self/fd").length;

/** The number of attempts to connect to a local port that have no answer yet. */
function unansweredAttempts(port: number): number {
  const SYN_SENT = "02";
  const lines = readFileSync("/proc/net/tcp", "utf8").trim().split("\n").slice(1);
  const remotes = lines.map((line) => line.trim().split(/\s+/)).filter(([, , , state]) => state === SYN_SENT);
  return remotes.filter(([, , remote = ""]) => Number.parseInt(remote.split(":")[1] ?? "", 16) === port)
    .length;
}

test("behavior 1.20: at most six of thousands of addresses are tried, families alternating", async () => {
  const [four, six] = [loopbacks(1, 2000), Array.from({ length: 1000 }, (_, at) => `2001:db8::${at + 1}`)];
  using dns = await startDnsServer({
    [`A ${NAME}`]: { truncated: four.map(a) },
    [`AAAA ${NAME}`]: { truncated: six.map(aaaa) },
  });
  const network = createNetwork({ privateTargets: "allow", dnsServers: [dns] });
  const tried = await network.addressesOf(NAME, 2000);
  const sorted = tried.toSorted((one, other) => Number(other.includes(":")) - Number(one.includes(":")));
  expect(sorted).toEqual([...six.slice(0, 3), ...four.slice(0, 3)]);
  expect(tried.map((address) => address.includes(":"))).toEqual([true, false, true, false, true, false]);
});

test("if one family has too few addresses, the other one fills up the six", async () => {
  using dns = await startDnsServer({
    [`A ${NAME}`]: loopbacks(1, 8).map(a),
    [`AAAA ${NAME}`]: [aaaa("2001:db8::1")],
  });
  const network = createNetwork({ privateTargets: "allow", dnsServers: [dns] });
  expect(await network.addressesOf(NAME, 2000)).toEqual([
    "2001:db8::1",
    "127.0.0.1",
    "127.0.0.2",
    "127.0.0.3",
    "127.0.0.4",
    "127.0.0.5",
  ]);
});

test("addresses that the policy denies do not count towards the six", async () => {
  using dns = await startDnsServer({ [`A ${NAME}`]: [...loopbacks(1, 8), "1.1.1.1"].map(a) });
  const network = createNetwork({ privateTargets: "deny", dnsServers: [dns] });
  expect(await network.addressesOf(NAME, 2000)).toEqual(["1.1.1.1"]);
});

test("a check of a name with many silent addresses holds at most six sockets", async () => {
  const hosts = loopbacks(1, 12);
  using server = await startDeafServer({ hosts });
  using dns = await startDnsServer({ [`A ${NAME}`]: hosts.map(a) });
  const before = openDescriptors();
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, openDescriptors() - before);
  }, 20);
  const seen = await observation(
    "TCP",
    { host: NAME, port: server.port },
    { timeout: 2800, dnsServers: [dns] },
  );
  clearInterval(watching);
  expect(seen).toMatchObject({ outcome: "failed", reason: "timeout" });
  expect(most).toBeWithin(4, 7);
});

test("an address that answers late still wins while other addresses are tried", async () => {
  const silent = loopbacks(2, 15);
  using first = await startDeafServer();
  using _ = await startDeafServer({ hosts: silent, port: first.port });
  using dns = await startDnsServer({ [`A ${NAME}`]: ["127.0.0.1", ...silent].map(a) });
  const before = unansweredAttempts(first.port);
  const seen = observation(
    "HTTP",
    { url: `http://${NAME}:${first.port}/` },
    { timeout: 10_000, dnsServers: [dns] },
  );
  await eventually(() => unansweredAttempts(first.port) > before);
  // The server answers only the second SYN, one second later.
  first.accept();
  expect(await seen).toMatchObject({
    outcome: "reached",
    detail: { address: "127.0.0.1", statusCode: 201 },
  });
});

test("behavior 1.24: the detail has the address that responded, even if other connections opened meanwhile", async () => {
  const hosts = loopbacks(1, 6);
  using server = await startDeafServer({ hosts });
  using dns = await startDnsServer({ [`A ${NAME}`]: hosts.map(a) });
  const before = unansweredAttempts(server.port);
  const url = `http://${NAME}:${server.port}/`;
  // The kernel repeats an attempt after 1, 3, 7 and 15 s.
  const seen = observation("HTTP", { url }, { timeout: 25_000, dnsServers: [dns] });
  await eventually(() => unansweredAttempts(server.port) >= before + hosts.length);
  server.accept();
  const result = await seen;
  if (result.outcome !== "reached") throw new Error(JSON.stringify(result));
  const { statusCode, address } = result.detail;
  expect(address).toBe(`127.0.0.${Number(statusCode) - 200}`);
});

test("the other attempts end as soon as one address has answered", async () => {
  using deaf = await startDeafServer({ hosts: ["127.0.0.2"] });
  using dns = await startDnsServer({ [`A ${NAME}`]: ["127.0.0.2", "127.0.0.1"].map(a) });
  // Only an endpoint that did not answer once gets a socket whose attempt can be cancelled.
  const network = createNetwork({ privateTargets: "allow", dnsServers: [dns] });
  await observation("TCP", { host: "127.0.0.2", port: deaf.port }, { timeout: 50, network });
  const before = unansweredAttempts(deaf.port);
  const connected = Promise.withResolvers<void>();
  using server = await startServer(() => connected.resolve(), { port: deaf.port });
  const lifetime = new Lifetime();
  const seen = observation(
    "HTTP",
    { url: `http://${NAME}:${server.port}/` },
    { network, lifetime, timeout: 30_000 },
  );
  await eventually(() => unansweredAttempts(deaf.port) > before);
  let isOver = false;
  const over = seen.finally(() => {
    isOver = true;
  });
  await connected.promise;
  await eventually(() => unansweredAttempts(deaf.port) === before);
  expect(isOver).toBe(false);
  lifetime.close();
  await over;
});
