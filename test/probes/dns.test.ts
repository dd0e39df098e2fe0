import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Answer } from "dns-packet";
import { judgeCheck } from "../../src/domain/checks/judge.ts";
import type { Lookup, RecordType } from "../../src/domain/checks/observation.ts";
import { createNetwork } from "../../src/probes/connections/network.ts";
import { probe } from "../../src/probes/probe-runner.ts";
import { observation } from "../support/probes/observation.ts";
import { startDnsServer, type TestDnsServer } from "../support/servers/dns-server.ts";
import { answer, startHttpServer } from "../support/servers/http-answers.ts";
import { closedPort } from "../support/servers/tcp-server.ts";

const UNREACHABLE = { outcome: "failed", reason: "dns_unreachable" };

let dns: TestDnsServer;
const a = (name: string, data = "192.0.2.1"): Answer => ({ type: "A", name, data });
const aaaa = (name: string, data = "2001:db8::1"): Answer => ({ type: "AAAA", name, data });
const many = Array.from({ length: 100 }, (_, at) => a("many.test", `192.0.2.${at}`));
const chain = Array.from(
  { length: 1800 },
  (_, at): Answer => ({ type: "CNAME", name: `${at}.test`, data: `${at + 1}.test` }),
);

beforeAll(async () => {
  dns = await startDnsServer({
    "A both.test": [a("both.test"), a("both.test", "192.0.2.2")],
    "AAAA both.test": [aaaa("both.test")],
    "A case.test": [a("CASE.test")],
    "empty.test": [],
    "broken.test": { code: "SERVFAIL" },
    "refused.test": { code: "REFUSED" },
    "odd.test": { code: "NOTIMP" },
    "silent.test": "silence",
    "garbage.test": "garbage",
    "wrong-id.test": "wrong id",
    "wrong-question.test": "wrong question",
    "A half.test": [a("half.test")],
    "AAAA half.test": { code: "SERVFAIL" },
    "A many.test": { truncated: many },
    "A lossy.test": (times) => (times === 1 ? "silence" : [a("lossy.test")]),
    "A flaky.test": (times) => (times === 1 ? { code: "SERVFAIL" } : [a("flaky.test")]),
    "A alias.test": [
      { type: "CNAME", name: "alias.test", data: "Middle.test" },
      { type: "CNAME", name: "middle.test", data: "end.test" },
      a("end.test"),
      a("unrelated.test", "192.0.2.99"),
    ],
    "A 0.test": { truncated: [...chain, a(`${chain.length}.test`)] },
    "A loop.test": [
      { type: "CNAME", name: "loop.test", data: "pool.test" },
      { type: "CNAME", name: "pool.test", data: "loop.test" },
    ],
    "CNAME www.test": [{ type: "CNAME", name: "www.test", data: "Shop.Test" }],
    "MX mail.test": [
      { type: "MX", name: "mail.test", data: { preference: 10, exchange: "MX1.mail.test" } },
      { type: "MX", name: "mail.test", data: { preference: 0, exchange: "." } },
    ],
    "NS zone.test": [{ type: "NS", name: "zone.test", data: "ns1.zone.test" }],
    "TXT _dmarc.mail.test": [{ type: "TXT", name: "_dmarc.mail.test", data: ["v=DMARC1;", " p=réject"] }],
    "CAA zone.test": [{ type: "CAA", name: "zone.test", data: { flags: 0, tag: "issue", value: "ca.test" } }],
    "SRV _sip._tcp.zone.test": [
      {
        type: "SRV",
        name: "_sip._tcp.zone.test",
        data: { priority: 1, weight: 2, port: 5060, target: "sip.zone.test" },
      },
    ],
    "SOA zone.test": [
      {
        type: "SOA",
        name: "zone.test",
        data: {
          mname: "ns1.zone.test",
          rname: "host.zone.test",
          serial: 2027013101,
          refresh: 1,
          retry: 2,
          expire: 3,
          minimum: 4,
        },
      },
    ],
    "PTR 1.2.0.192.in-addr.arpa": [{ type: "PTR", name: "1.2.0.192.in-addr.arpa", data: "host.zone.test" }],
  });
});

afterAll(() => dns[Symbol.dispose]());

async function messageOf(config: { hostname: string; recordType: RecordType }, server: TestDnsServer) {
  const seen = await observation("DNS", config, { dnsServers: [server], timeout: 1500 });
  if (seen.outcome === "inconclusive") throw new Error(seen.message);
  const checked = { type: "DNS" as const, config: { ...config, interval: 60 }, memory: null };
  const judged = judgeCheck(checked, seen, Date.now());
  return judged && "detail" in judged && judged.detail
    ? [judged.detail.reason, judged.detail.message]
    : undefined;
}

test.each([
  ["nxdomain", 3, "its target end.test does not exist in the DNS (NXDOMAIN)"],
  ["no_data", 0, "its target end.test exists in the DNS, but has no A record"],
] as const)("behavior 4.21: %s of an alias is about its target", async (reason, code, words) => {
  const hostname = "alias.test";
  const aliases: Answer[] = [
    { type: "CNAME", name: hostname, data: "Middle.test" },
    { type: "CNAME", name: "middle.test", data: "end.test" },
  ];
  const by = (packet: Buffer) => {
    packet.writeUInt8((packet.readUInt8(3) & 0xf0) | code, 3);
    return packet;
  };
  using server = await startDnsServer({ [hostname]: { changed: aliases, by } });
  expect(await messageOf({ hostname, recordType: "A" }, server)).toEqual([
    reason,
    `alias.test is an alias, and ${words}`,
  ]);
  const seen = await observation("TCP", { host: hostname, port: 1 }, { dnsServers: [server], timeout: 1500 });
  expect(seen).toMatchObject({
    reason: "dns_not_found",
    detail: { message: "alias.test is an alias, and its target end.test has no address in the DNS" },
  });
  using redirecting = await startHttpServer(() =>
    answer("302 Found", [`Location: http://${hostname}/`, "Content-Length: 0"]),
  );
  const url = `http://127.0.0.1:${redirecting.port}/`;
  const redirected = await observation("HTTP", { url, redirects: 1 }, { dnsServers: [server] });
  expect(redirected).toMatchObject({
    reason: "dns_not_found",
    detail: { message: "the host of a redirect has no address in the DNS" },
  });
});

test("behavior 4.24: a name that is to have no record is present without one, also as a whole check", async () => {
  using server = await startDnsServer({
    "A there.test": [a("there.test")],
    "broken.test": { code: "SERVFAIL" },
  });
  const statusOf = async (hostname: string) => {
    const seen = await observation(
      "DNS",
      { hostname, expected: [] },
      { dnsServers: [server], timeout: 1500 },
    );
    if (seen.outcome === "inconclusive") throw new Error(seen.message);
    const config = { hostname, expected: [], interval: 60 };
    const judged = judgeCheck({ type: "DNS", config, memory: null }, seen, Date.now());
    return judged && "status" in judged ? judged.status : judged;
  };
  expect(await statusOf("absent.test")).toBe("present");
  expect(await statusOf("there.test")).toBe("changed");
  expect(await statusOf("broken.test")).toBe("missing");
});

test.each([
  ["refuses", "was refused"],
  ["ends", "was closed without an answer"],
  ["answers", "gave no answer in time"],
] as const)(
  "behavior 4.22: a truncated answer is the cause if the server %s over TCP",
  async (overTcp, how) => {
    const hostname = "many.test";
    const reply = { udp: { truncated: [] }, tcp: "silence" as const };
    using server = await startDnsServer({ [hostname]: reply }, { overTcp });
    const cause = `the answer over UDP was truncated, and TCP ${how}`;
    expect(await messageOf({ hostname, recordType: "A" }, server)).toEqual([
      "timeout",
      `the DNS gave no answer for many.test after two attempts: ${cause}`,
    ]);
    const seen = await observation(
      "TCP",
      { host: hostname, port: 1 },
      { dnsServers: [server], timeout: 1500 },
    );
    expect(seen).toMatchObject({
      reason: "dns_failed",
      detail: { message: `the DNS gave no answer for many.test (${cause})` },
    });
  },
);

async function lookUp(hostname: string, recordType?: RecordType, timeout = 2000): Promise<Lookup[]> {
  const config = { hostname, ...(recordType && { recordType }) };
  const seen = await observation("DNS", config, { dnsServers: [dns], timeout });
  if (seen.outcome !== "looked_up") throw new Error(JSON.stringify(seen));
  return seen.answer.lookups;
}

describe("an answer", () => {
  test("behavior 4.1: has the addresses of both families", async () => {
    expect(await lookUp("both.test")).toEqual([
      { recordType: "A", values: ["192.0.2.1", "192.0.2.2"], failure: null },
      { recordType: "AAAA", values: ["2001:db8::1"], failure: null },
    ]);
  });

  test("may write the name in another case than the query", async () => {
    expect(await lookUp("Case.Test.", "A")).toMatchObject([{ values: ["192.0.2.1"] }]);
  });

  test("that was truncated is requested again over TCP", async () => {
    const [lookup] = await lookUp("many.test", "A");
    expect(lookup?.values).toHaveLength(100);
    expect(dns.queries).toContain("A many.test over TCP");
  });

  test("is followed along its CNAME chain", async () => {
    expect(await lookUp("alias.test", "A")).toMatchObject([{ values: ["192.0.2.1"], failure: null }]);
  });

  test("is followed along a CNAME chain that fills a whole message", async () => {
    expect(await lookUp("0.test", "A")).toMatchObject([{ values: ["192.0.2.1"], failure: null }]);
  });

  test("whose CNAME chain is a loop has no data", async () => {
    expect(await lookUp("loop.test", "A")).toMatchObject([{ failure: "no_data" }]);
  });

  test("behavior 4.3: to the retry counts if the first query was lost", async () => {
    expect(await lookUp("lossy.test", "A")).toMatchObject([{ values: ["192.0.2.1"] }]);
  });

  test("behavior 4.3: to the retry counts if the server failed first", async () => {
    expect(await lookUp("flaky.test", "A")).toMatchObject([{ values: ["192.0.2.1"] }]);
  });
});

test.each<[RecordType, string, string[]]>([
  ["CNAME", "www.test", ["shop.test"]],
  ["MX", "mail.test", ["10 mx1.mail.test", "0 ."]],
  ["NS", "zone.test", ["ns1.zone.test"]],
  ["TXT", "_dmarc.mail.test", ["v=DMARC1; p=réject"]],
  ["CAA", "zone.test", ['0 issue "ca.test"']],
  ["SRV", "_sip._tcp.zone.test", ["1 2 5060 sip.zone.test"]],
  ["SOA", "zone.test", ["ns1.zone.test host.zone.test 2027013101 1 2 3 4"]],
  ["PTR", "1.2.0.192.in-addr.arpa", ["host.zone.test"]],
])("behavior 4.1: a %s record of %s is read in zone file notation", async (type, name, values) => {
  expect(await lookUp(name, type)).toEqual([{ recordType: type, values, failure: null }]);
});

describe("behavior 4.4: each kind of missing answer has its own failure:", () => {
  test.each([
    ["unknown.test", "nxdomain"],
    ["empty.test", "no_data"],
    ["broken.test", "servfail"],
    ["refused.test", "refused"],
    ["odd.test", "error"],
    ["garbage.test", "malformed"],
    ["a..b", "nxdomain"],
  ])("%s is %s", async (name, failure) => {
    expect(await lookUp(name, "A")).toMatchObject([{ values: [], failure }]);
  });

  test.each(["silent.test", "wrong-id.test", "wrong-question.test"])(
    "%s gets no valid answer to two queries: timeout",
    async (name) => {
      expect(await lookUp(name, "A", 300)).toMatchObject([{ values: [], failure: "timeout" }]);
      expect(dns.queries.filter((query) => query === `A ${name}`)).toHaveLength(2);
    },
  );

  test("each family has its own", async () => {
    expect(await lookUp("half.test")).toMatchObject([
      { recordType: "A", values: ["192.0.2.1"] },
      { recordType: "AAAA", failure: "servfail" },
    ]);
  });
});

test("behavior 4.2: every check sends new queries", async () => {
  const countQueries = () => dns.queries.filter((query) => query === "A both.test").length;
  const before = countQueries();
  for (let checks = 0; checks < 3; checks++) await lookUp("both.test");
  expect(countQueries() - before).toBe(3);
});

describe("behavior 4.5, 4.18: a fault of the DNS server is no answer about the name", () => {
  test("if nothing listens there", async () => {
    const dnsServers = [{ address: "127.0.0.1", port: await closedPort() }];
    const seen = await observation("DNS", { hostname: "both.test" }, { dnsServers });
    expect(seen).toMatchObject(UNREACHABLE);
  });

  test("if it is silent for every name", async () => {
    using dead = await startDnsServer({ "both.test": "silence", ".": "silence" });
    const seen = await observation("DNS", { hostname: "both.test" }, { dnsServers: [dead], timeout: 300 });
    expect(seen).toMatchObject(UNREACHABLE);
  });

  test("if another server answers instead", async () => {
    using dead = await startDnsServer({ "both.test": "silence", ".": "silence" });
    const seen = await observation(
      "DNS",
      { hostname: "both.test", recordType: "A" },
      { dnsServers: [dead, dns], timeout: 2000 },
    );
    expect(seen).toMatchObject({ outcome: "looked_up", answer: { lookups: [{ failure: null }] } });
  });

  test("and one liveness query serves all concurrent checks", async () => {
    using dead = await startDnsServer({ "both.test": "silence", ".": "silence" });
    const network = createNetwork({ privateTargets: "allow", dnsServers: [dead] });
    const config = { hostname: "both.test", interval: 60 };
    const checks = Array.from({ length: 20 }, () => probe("DNS", config, { timeout: 600, network }));
    const seen = await Promise.all(checks);
    for (const one of seen) expect(one).toMatchObject(UNREACHABLE);
    expect(dead.queries.filter((query) => query === "NS .")).toHaveLength(1);
  });
});

const LOCAL = (servers: { address: string; port: number }[]) =>
  servers.map(({ address, port }) => `${address}:${port}`);
const one = (data: string): Answer[] => [{ type: "A", name: "own.test", data }];

test("behavior 10.14, 10.15: the servers of a config are asked in their order, and those of stillup are not", async () => {
  using usual = await startDnsServer({ "A own.test": one("192.0.2.1") });
  using failing = await startDnsServer({ "A own.test": { code: "SERVFAIL" } });
  using answering = await startDnsServer({ "A own.test": one("192.0.2.2") });
  using spare = await startDnsServer({ "A own.test": one("192.0.2.3") });
  const dead = { address: "127.0.0.1", port: await closedPort() };
  const config = { hostname: "own.test", recordType: "A" as const };
  const servers = LOCAL([dead, failing, answering, spare]);
  expect(await observation("DNS", { ...config, servers }, { dnsServers: [usual] })).toMatchObject({
    outcome: "looked_up",
    answer: { lookups: [{ values: ["192.0.2.2"] }] },
  });
  expect([usual.queries, failing.queries, answering.queries, spare.queries]).toEqual([
    [],
    ["A own.test"],
    ["A own.test"],
    [],
  ]);
});

test("behavior 10.14, 10.15: silence of the servers of a config is an answer, unlike that of the usual servers", async () => {
  const servers = LOCAL([{ address: "127.0.0.1", port: await closedPort() }]);
  const config = { hostname: "own.test", recordType: "A" as const, servers };
  expect(await observation("DNS", config)).toMatchObject({
    outcome: "looked_up",
    answer: { lookups: [{ values: [], failure: "timeout" }] },
  });
});

test("behavior 10.14, 10.15: a private server is refused if private targets are denied, and the status is missing", async () => {
  using own = await startDnsServer({ "A own.test": one("192.0.2.2") });
  const config = { hostname: "own.test", recordType: "A" as const, servers: ["192.0.2.53", ...LOCAL([own])] };
  const seen = await observation("DNS", config, { privateTargets: "deny" });
  expect(seen).toMatchObject({ outcome: "failed", reason: "private_target" });
  expect(own.queries).toEqual([]);
  if (seen.outcome !== "failed") throw new Error(seen.outcome);
  const judged = judgeCheck(
    { type: "DNS", config: { ...config, interval: 60 }, memory: null },
    seen,
    Date.now(),
  );
  expect(judged).toMatchObject({ status: "missing", detail: { reason: "private_target" } });
});
