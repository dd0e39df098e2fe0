import { describe, expect, test } from "bun:test";
import { judgeCheck } from "../../../src/domain/checks/judge.ts";
import { parseEvidence } from "../../../src/domain/locations/evidence-schema.ts";
import { nameOfStep } from "../../../src/domain/monitors/kinds/http-target.ts";
import type { ProbedType } from "../../../src/domain/monitors/monitor.ts";
import { evidence } from "./walk.ts";

const answer = {
  hostname: "a.example",
  lookups: [
    { recordType: "A", values: ["192.0.2.1"], failure: null },
    { recordType: "AAAA", values: [], failure: "timeout" },
  ],
};
const lookedUp = { outcome: "looked_up", answer };
const reached = evidence.up;
const { certificate } = evidence.active as { certificate: object };

const tls = {
  protocol: "TLSv1.3",
  cipher: "TLS_AES_128_GCM_SHA256",
  validTo: "2027-03-01T00:00:00.000Z",
  advice: [],
};

const facts = {
  step: "tls",
  dns: { server: "192.0.2.53", code: "NOERROR", records: ["192.0.2.1"], tookMs: 3 },
  tls: {
    protocol: "TLSv1.3",
    cipher: tls.cipher,
    chain: [
      {
        subject: "CN=a",
        issuer: "CN=b",
        validFrom: "2026-03-01T00:00:00.000Z",
        validTo: tls.validTo,
        fingerprint: "AB:CD",
      },
    ],
    error: "CERT_HAS_EXPIRED",
    names: ["a.example"],
  },
  http: {
    statusCode: 503,
    headers: { server: "nginx" },
    headerNames: ["server", "set-cookie"],
    size: 7,
    body: "the body",
  },
  attempts: [{ address: "192.0.2.1", outcome: "refused" }],
  mayBeUnreachable: true,
  isForeign: true,
  isRedirected: true,
};
const failedWith = (more: object) => ({ ...evidence.down, facts: { ...facts, ...more } });

/** As it arrives. */
const parsed = (type: ProbedType, value: unknown) => parseEvidence(type, JSON.parse(JSON.stringify(value)));
const withDetail = (detail: object) => ({ ...reached, detail });
const withCertificate = (fields: object) => ({
  ...evidence.active,
  certificate: { ...certificate, ...fields },
});
const byAddress = (addresses: object, more: object = {}) => ({
  outcome: "by_address",
  addresses,
  omitted: 0,
  ...more,
});
const [one, failing] = [
  { address: "192.0.2.1", evidence: reached },
  { address: "2001:db8::1", evidence: evidence.down },
];
const withLookup = (lookup: object) => ({
  outcome: "looked_up",
  answer: { hostname: "a", lookups: [lookup] },
});

describe("behavior 13.19: evidence of a probe", () => {
  test.each<[ProbedType, object]>([
    ["HTTP", reached],
    ["HTTP", { ...reached, latencyMs: null, lateBy: 40, slowBy: 0.5 }],
    [
      "HTTP",
      withDetail({
        statusCode: 200,
        address: "::1",
        phases: { resolve: 0, connect: 1.5, tls: 2, firstByte: 3 },
      }),
    ],
    ["TCP", withDetail({ ping: { sent: 3, received: 1, minMs: 1.5, avgMs: 2, maxMs: 2.5 } })],
    ["TCP", withDetail({ ping: { sent: 3, received: 0, minMs: null, avgMs: null, maxMs: null } })],
    ["HTTP", { ...reached, tls }],
    ["HTTP", { ...evidence.down, tls: { ...tls, protocol: null, cipher: null, advice: ["weak_key"] } }],
    ["TLS", { ...evidence.active, tls }],
    ["TCP", withDetail({ names: ["a", 1, null], isOk: true, omitted: { names: 3 } })],
    ["TCP", withDetail({ message: "\u{1f600}, \\ud83d and \\\\ud83d" })],
    ["TCP", { ...evidence.down, latencyMs: 4 }],
    ["HTTP", { ...reached, told: ["192.0.2.1", "2001:db8::1"], size: 0 }],
    ["HTTP", { ...reached, headerNames: ["date", "x".repeat(100)] }],
    ["HTTP", withDetail({ phases: { firstByte: 3, body: 4 } })],
    ["TLS", { ...evidence.active, told: ["192.0.2.1"] }],
    ["HTTP", { ...failedWith({}), told: ["192.0.2.1"] }],
    ["TCP", { ...evidence.down, facts: { step: "connect", dns: null, tls: null, http: null } }],
    ["TCP", byAddress([{ ...failing, evidence: failedWith({}) }])],
    ["DNS", { ...lookedUp, dns: facts.dns }],
    ["TCP", { ...reached, certificate, tls }],
    ["TCP", { ...evidence.down, reason: "tls_invalid", certificate }],
    ["TCP", byAddress([{ ...one, evidence: { ...reached, certificate } }, failing])],
    ["TLS", evidence.active],
    ["TLS", evidence.no_cert],
    ["TLS", withCertificate({ authorizationError: "CERT_HAS_EXPIRED", protocol: null })],
    ["HTTP", byAddress([one, failing], { omitted: 3 })],
    ["TCP", byAddress([failing])],
    ["TLS", byAddress([{ ...one, evidence: evidence.active }, failing])],
    ["DNS", lookedUp],
    ["DNS", withLookup({ recordType: "TXT", values: ["x".repeat(65_000)], failure: null })],
    ["DNS", { outcome: "failed", reason: "private_target", detail: {} }],
  ])("of a %s check is taken as it is: %#", (type, value) => {
    expect<unknown>(parsed(type, value)).toEqual(JSON.parse(JSON.stringify(value)));
  });

  test.each<[string, ProbedType, unknown]>([
    ["nothing", "HTTP", null],
    ["a text", "HTTP", "reached"],
    ["a list", "HTTP", [reached]],
    ["no outcome", "HTTP", {}],
    ["an inconclusive outcome", "HTTP", { outcome: "inconclusive", message: "m" }],
    ["a name of every object", "HTTP", { outcome: "constructor" }],
    ["an outcome of another type", "HTTP", evidence.active],
    ["an outcome of another type", "TLS", reached],
    ["an outcome of another type", "DNS", reached],
    ["another field", "HTTP", { ...reached, status: "up" }],
    ["unknown advice", "HTTP", { ...reached, tls: { ...tls, advice: ["buy_now"] } }],
    ["an end in words", "HTTP", { ...reached, tls: { ...tls, validTo: "tomorrow" } }],
    ["TLS in the detail", "HTTP", withDetail({ tls: "TLSv1.3" })],
    ["addresses in the detail", "HTTP", withDetail({ addresses: ["192.0.2.1"] })],
    ["no address", "HTTP", byAddress([])],
    ["7 addresses", "HTTP", byAddress(Array(7).fill(one))],
    ["no count of omitted addresses", "HTTP", { outcome: "by_address", addresses: [one] }],
    ["a long address", "HTTP", byAddress([{ ...one, address: "1".repeat(65) }])],
    ["addresses of addresses", "HTTP", byAddress([{ ...one, evidence: byAddress([one]) }])],
    ["a sample of an address", "HTTP", byAddress([{ ...one, evidence: { ...reached, sample: {} } }])],
    [
      "a large detail of an address",
      "HTTP",
      byAddress([{ ...one, evidence: withDetail({ a: "x".repeat(17_000) }) }]),
    ],
    ["addresses of another type", "TLS", byAddress([one])],
    ["addresses of another type", "DNS", byAddress([one])],
    ["a sample", "HTTP", { ...reached, sample: {} }],
    ["a negative latency", "HTTP", { ...reached, latencyMs: -1 }],
    ["a latency of hours", "HTTP", { ...reached, latencyMs: 1e7 }],
    ["a latency in words", "HTTP", { ...reached, latencyMs: "10" }],
    ["no detail", "HTTP", { outcome: "reached", latencyMs: 1 }],
    ["a list as the detail", "HTTP", { ...reached, detail: [] }],
    ["an object in the detail", "HTTP", withDetail({ message: { toString: 1 } })],
    ["an object in a list of the detail", "HTTP", withDetail({ names: [{ toString: 1 }] })],
    ["what the check saw", "HTTP", withDetail({ seen: "up" })],
    ["another location", "HTTP", withDetail({ location: "nyc" })],
    ["a maintenance", "HTTP", withDetail({ maintenance: "m1" })],
    ["a suspicion", "HTTP", withDetail({ suspicion: "down" })],
    ["what muted a notification", "HTTP", withDetail({ mutedBy: "m1" })],
    ["dates beside those of its certificate", "TLS", { ...evidence.active, detail: { validTo: "tomorrow" } }],
    ["dates without a certificate", "TLS", { ...evidence.no_cert, detail: { validFrom: "tomorrow" } }],
    ["another phase", "HTTP", withDetail({ phases: { other: 1 } })],
    ["more pings", "TCP", withDetail({ ping: { sent: 6, received: 6, minMs: 1, avgMs: 1, maxMs: 1 } })],
    ["half of the figures of pings", "TCP", withDetail({ ping: { sent: 1, received: 1 } })],
    ["a phase of hours", "HTTP", withDetail({ phases: { tls: 1e300 } })],
    ["a count that is none", "HTTP", withDetail({ omitted: { names: -1 } })],
    ["a detail of more than 16 KiB", "HTTP", withDetail({ message: "x".repeat(16 * 1024) })],
    ["half of a surrogate pair", "HTTP", withDetail({ message: "\ud83d" })],
    ["half of a surrogate pair in a name", "HTTP", withDetail({ "\ude00": 1 })],
    ["half of a surrogate pair after a backslash", "HTTP", withDetail({ message: "\\\ud83d" })],
    [
      "half of a surrogate pair in an answer",
      "DNS",
      withLookup({ recordType: "TXT", values: ["\udfff"], failure: null }),
    ],
    ["a certificate beside an answer", "HTTP", { ...reached, certificate }],
    ["a part of a certificate", "TCP", { ...reached, certificate: { names: [] } }],
    ["7 addresses of a name", "HTTP", { ...reached, told: Array(7).fill("192.0.2.1") }],
    ["facts of a success", "HTTP", { ...reached, facts }],
    ["an unknown step", "HTTP", failedWith({ step: "sleep" })],
    ["another fact", "HTTP", failedWith({ layer: "self" })],
    ["a long chain", "HTTP", failedWith({ tls: { ...facts.tls, chain: Array(6).fill(facts.tls.chain[0]) } })],
    ["a long body", "HTTP", failedWith({ http: { ...facts.http, body: "x".repeat(2049) } })],
    ["a size below 0", "HTTP", { ...reached, size: -1 }],
    ["a long name of a header", "HTTP", { ...reached, headerNames: ["x".repeat(101)] }],
    ["many headers", "HTTP", { ...reached, headerNames: Array(61).fill("date") }],
    ["an unknown reason", "TCP", { ...evidence.down, reason: "bored" }],
    ["a date that does not exist", "TLS", withCertificate({ validTo: "2027-02-30T00:00:00.000Z" })],
    ["a date in words", "TLS", withCertificate({ validFrom: "tomorrow" })],
    ["a date with an offset", "TLS", withCertificate({ validTo: "2027-02-03T00:00:00+02" })],
    ["an unknown record type", "DNS", withLookup({ recordType: "X", values: ["1"], failure: null })],
    ["values of a failed query", "DNS", withLookup({ recordType: "A", values: ["1"], failure: "nxdomain" })],
    ["no query", "DNS", { outcome: "looked_up", answer: { hostname: "a", lookups: [] } }],
    [
      "an answer of more than 256 KiB",
      "DNS",
      withLookup({ recordType: "TXT", values: ["x".repeat(3e5)], failure: null }),
    ],
  ])("with %s is refused: %s, %#", (_, type, value) => {
    expect(parsed(type, value)).toBeNull();
  });

  test("can be judged, also if a field is named __proto__", () => {
    const detail = JSON.parse('{"__proto__": ["a"], "message": "m"}');
    const value = parseEvidence("HTTP", { ...reached, detail });
    const monitor = {
      type: "HTTP",
      config: { url: "http://a.example/", interval: 60 },
      memory: null,
    } as const;
    expect(value && judgeCheck(monitor, value, 0)).toMatchObject({ status: "up", detail: { message: "m" } });
  });
});

test("behavior 26.71: a location may report a step with any name that a config may have", () => {
  const name = nameOfStep({ name: `${" ".repeat(500)}${"🙂".repeat(200)} ` }, 0);
  const steps = [{ name, statusCode: 200, latencyMs: 1 }];
  const reached = { outcome: "reached", latencyMs: 1, detail: { statusCode: 200, steps } };
  expect(parseEvidence("HTTP", reached)).toMatchObject({ detail: { steps } });
});

test("behavior 26.71, 26.73: a location may report steps that took 120 s, and a little more", () => {
  const steps = [
    { name: "login", statusCode: 200, latencyMs: 60_001 },
    { name: "search", statusCode: null, latencyMs: null },
  ];
  const reached = { outcome: "reached", latencyMs: 120_001, detail: { statusCode: 200, steps } };
  expect(parseEvidence("HTTP", reached)).toMatchObject({ latencyMs: 120_001, detail: { steps } });
  const told = { ...reached, detail: { steps: [{ ...steps[0], secret: "x" }] } };
  expect(parseEvidence("HTTP", told)).toBeNull();
});
