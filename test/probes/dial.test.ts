import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { createNetwork } from "../../src/probes/network.ts";
import { startDeafServer } from "../support/deaf-server.ts";
import { startDnsServer } from "../support/dns-server.ts";
import { eventually } from "../support/eventually.ts";
import { observation } from "../support/observation.ts";
import { startServer } from "../support/tcp-server.ts";

const NAME = "many.test";
const a = (data: string) => ({ type: "A" as const, name: NAME, data });
const aaaa = (data: string) => ({ type: "AAAA" as const, name: NAME, data });
const loopbacks = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `127.0.${Math.floor((from + at) / 250)}.${(from + at) % 250}`);

const descriptors = () => readdirSync("/proc/self/fd").length;

/** How many attempts to connect to a port of this machine have no answer yet. */
function attempts(port: number): number {
  const SYN_SENT = "02";
  const lines = readFileSync("/proc/net/tcp", "utf8").trim().split("\n").slice(1);
  const remotes = lines.map((line) => line.trim().split(/\s+/)).filter(([, , , state]) => state === SYN_SENT);
  return remotes.filter(([, , remote = ""]) => Number.parseInt(remote.split(":")[1] ?? "", 16) === port)
    .length;
}

test("of thousands of addresses six are tried, families alternating", async () => {
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

test("one family fills the places that the other leaves", async () => {
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

test("addresses that are refused take no place of those that are allowed", async () => {
  using dns = await startDnsServer({ [`A ${NAME}`]: [...loopbacks(1, 8), "192.0.2.1"].map(a) });
  const network = createNetwork({ privateTargets: "deny", dnsServers: [dns] });
  expect(await network.addressesOf(NAME, 2000)).toEqual(["192.0.2.1"]);
});

test("a check of a name with many silent addresses holds six sockets at most", async () => {
  const hosts = loopbacks(1, 12);
  using server = await startDeafServer({ hosts });
  using dns = await startDnsServer({ [`A ${NAME}`]: hosts.map(a) });
  const before = descriptors();
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, descriptors() - before);
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

test("an address that answers late is noticed while others are waited for", async () => {
  const silent = loopbacks(2, 15);
  using first = await startDeafServer();
  using _ = await startDeafServer({ hosts: silent, port: first.port });
  using dns = await startDnsServer({ [`A ${NAME}`]: ["127.0.0.1", ...silent].map(a) });
  const before = attempts(first.port);
  const seen = observation(
    "HTTP",
    { url: `http://${NAME}:${first.port}/` },
    { timeout: 3000, dnsServers: [dns] },
  );
  await eventually(() => attempts(first.port) > before);
  // Only the second SYN, one second later, is answered.
  first.hear();
  expect(await seen).toMatchObject({
    outcome: "reached",
    detail: { address: "127.0.0.1", statusCode: 201 },
  });
});

test("the detail names the address that answered, whatever else opens while its answer is waited for", async () => {
  const hosts = loopbacks(1, 6);
  using server = await startDeafServer({ hosts });
  using dns = await startDnsServer({ [`A ${NAME}`]: hosts.map(a) });
  const before = attempts(server.port);
  const url = `http://${NAME}:${server.port}/`;
  const seen = observation("HTTP", { url }, { timeout: 10_000, dnsServers: [dns] });
  await eventually(() => attempts(server.port) >= before + hosts.length);
  server.hear();
  const result = await seen;
  if (result.outcome !== "reached") throw new Error("not reached");
  const { statusCode, address } = result.detail;
  expect(address).toBe(`127.0.0.${Number(statusCode) - 200}`);
});

test("attempts that lose end as soon as another address has answered", async () => {
  using deaf = await startDeafServer({ hosts: ["127.0.0.2"] });
  using dns = await startDnsServer({ [`A ${NAME}`]: ["127.0.0.2", "127.0.0.1"].map(a) });
  // Before its socket is one that can be closed, the first attempt must have been silent once.
  await observation("TCP", { host: "127.0.0.2", port: deaf.port }, { timeout: 50 });
  const before = attempts(deaf.port);
  const connected = Promise.withResolvers<void>();
  using server = await startServer(() => connected.resolve(), { port: deaf.port });
  const end = new AbortController();
  const seen = observation("HTTP", { url: `http://${NAME}:${server.port}/` }, { dnsServers: [dns], end });
  await eventually(() => attempts(deaf.port) > before);
  let isOver = false;
  const over = seen.finally(() => {
    isOver = true;
  });
  await connected.promise;
  await eventually(() => attempts(deaf.port) === before);
  expect(isOver).toBe(false);
  end.abort();
  await over;
});
