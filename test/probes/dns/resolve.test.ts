import { afterAll, beforeAll, expect, test } from "bun:test";
import { observation } from "../../support/probes/observation.ts";
import { startDnsServer, type TestDnsServer } from "../../support/servers/dns-server.ts";
import { closedPort, silent, startServer, type TestServer } from "../../support/servers/tcp-server.ts";

let dns: TestDnsServer;
let server: TestServer;

const address = (name: string) => ({ type: "A" as const, name, data: "127.0.0.1" });

beforeAll(async () => {
  server = await startServer(silent);
  dns = await startDnsServer({
    "A shop.test": [address("shop.test")],
    "A xn--bcher-kva.test": [address("xn--bcher-kva.test")],
    "A _internal.shop.test": [address("_internal.shop.test")],
    "A alias.test": [
      { type: "CNAME", name: "alias.test", data: "Middle.test" },
      { type: "CNAME", name: "middle.test", data: "shop.test" },
      address("shop.test"),
    ],
    "A half.test": [address("half.test")],
    "AAAA half.test": "silence",
    "empty.test": [],
    "broken.test": { code: "SERVFAIL" },
    "refused.test": { code: "REFUSED" },
    "silent.test": "silence",
    "garbage.test": "garbage",
  });
});

afterAll(() => {
  dns[Symbol.dispose]();
  server[Symbol.dispose]();
});

const observe = (host: string, timeout = 2000) =>
  observation("TCP", { host, port: server.port }, { dnsServers: [dns], timeout });

test.each(["shop.test", "SHOP.test.", "bücher.test", "_internal.shop.test", "alias.test", "localhost"])(
  "behavior 1.18: %s is reached at its address from the DNS servers of the operator or the hosts file",
  async (host) => {
    expect(await observe(host)).toMatchObject({ outcome: "reached" });
  },
);

test("a name is reached without waiting for a server that never answers AAAA queries", async () => {
  expect(await observe("half.test", 10_000)).toMatchObject({ outcome: "reached" });
  // Waiting for the answer would have ended with a retry.
  expect(dns.queries.filter((query) => query === "AAAA half.test")).toHaveLength(1);
});

test.each(["unknown.test", "empty.test", "a..b"])("%s has no address: dns_not_found", async (host) => {
  expect(await observe(host)).toMatchObject({ outcome: "failed", reason: "dns_not_found" });
});

test.each(["broken.test", "refused.test", "garbage.test"])(
  "%s gets no usable answer: dns_failed",
  async (host) => {
    expect(await observe(host)).toMatchObject({ outcome: "failed", reason: "dns_failed" });
  },
);

test("a silent zone counts against the name, because the DNS server is alive", async () => {
  const seen = await observe("silent.test", 600);
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "dns_failed",
    detail: { message: "the DNS gave no answer for silent.test (timeout)" },
  });
});

test("behavior 4.18: a DNS server that does not run gives no answer about the name", async () => {
  const dnsServers = [{ address: "127.0.0.1", port: await closedPort() }];
  const seen = await observation("TCP", { host: "shop.test", port: server.port }, { dnsServers });
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "dns_unreachable",
    detail: { message: expect.stringContaining("none of the DNS servers can be reached: 127.0.0.1 port") },
  });
});

test("behavior 4.18: so is a DNS server that is silent for every name", async () => {
  using dead = await startDnsServer({ "shop.test": "silence", ".": "silence" });
  const seen = await observation(
    "TCP",
    { host: "shop.test", port: server.port },
    { dnsServers: [dead], timeout: 600 },
  );
  expect(seen).toMatchObject({ outcome: "failed", reason: "dns_unreachable" });
});

test("behavior 4.3: the second DNS server is asked if the first one is dead", async () => {
  const dnsServers = [{ address: "127.0.0.1", port: await closedPort() }, dns];
  const seen = await observation("TCP", { host: "shop.test", port: server.port }, { dnsServers });
  expect(seen.outcome).toBe("reached");
});

test("behavior 4.19: nobody is asked about reserved names, addresses and names under localhost", async () => {
  using own = await startDnsServer({});
  const run = (host: string) =>
    observation("TCP", { host, port: server.port }, { dnsServers: [own], timeout: 600 });
  for (const host of ["localhost", "shop.localhost", "Shop.LOCALHOST.", "127.0.0.1"])
    expect(await run(host)).toMatchObject({ outcome: "reached" });
  for (const host of ["shop.invalid", "invalid", "SHOP.Invalid."])
    expect(await run(host)).toMatchObject({ outcome: "failed", reason: "dns_not_found" });
  expect(own.queries).toEqual([]);
});
