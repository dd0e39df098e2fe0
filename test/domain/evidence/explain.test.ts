import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type Detail,
  type Evidence,
  type LookupFailure,
  REASONS,
} from "../../../src/domain/checks/observation.ts";
import { askedLook } from "../../../src/domain/evidence/asked-look.ts";
import { changesOf } from "../../../src/domain/evidence/changes.ts";
import {
  type CheckFacts,
  type Good,
  LAYERS,
  type Layer,
  type Look,
} from "../../../src/domain/evidence/evidence.ts";
import { explain } from "../../../src/domain/evidence/explain.ts";
import type { Failure } from "../../../src/domain/evidence/failure.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";

test("behavior 26.27: a failure through a proxy asks for no look at the target, also at an IP address", () => {
  const failed: Evidence = { outcome: "failed", reason: "timeout", told: ["203.0.113.7"], detail: {} };
  const lookFor = (config: object) =>
    askedLook(failed, { type: "HTTP", config: { url: "https://203.0.113.7/", interval: 60, ...config } });
  expect(lookFor({})).toEqual({ addresses: ["203.0.113.7"], port: 443 });
  expect(lookFor({ proxy: { url: "http://proxy.example.com" } })).toEqual({ addresses: [], port: null });
});

const shop = { url: "https://shop.example.com/", interval: 60 };
const good: Good = {
  at: 0,
  address: "203.0.113.7",
  certificate: "AA",
  statusCode: 200,
  size: 41_208,
  phases: { resolve: 3, connect: 12, tls: 20, firstByte: 42 },
  protocol: "TLSv1.3",
};
const facts: CheckFacts = { step: "connect", dns: null, tls: null, http: null };

interface Seen {
  status?: Status;
  reason?: string;
  detail?: Detail;
  told?: string[];
  facts?: Partial<CheckFacts>;
}

/** A check of the shop that failed. */
function failed(
  { reason = "timeout", detail = {}, told, facts: own }: Seen,
  others: Partial<Failure> = {},
): Failure {
  const observation = {
    ...{ outcome: "failed", reason, detail },
    ...(told && { told }),
    facts: { ...facts, ...own },
  } as Evidence;
  return failure(observation, { status: "down", detail: { ...detail, reason } }, others);
}

function failure(observation: Evidence, seen: Failure["seen"], others: Partial<Failure> = {}): Failure {
  const look: Look = { connections: null, path: null };
  return {
    type: "HTTP",
    config: shop,
    observation,
    seen,
    good,
    known: null,
    look,
    doOtherPortsAnswer: false,
    ...others,
  };
}

test("behavior 26.27: evidence of a target that a proxy can't reach says what the proxy said", () => {
  const message = "the proxy can't reach the server: it answered 503 Service Unavailable";
  const seen = { reason: "unreachable" as const, detail: { message } };
  const config = { ...shop, proxy: { url: "http://proxy.example.com" } };
  expect(explain(failed(seen, { config }))).toEqual({ layer: "network", summary: message });
});

const at = { address: "203.0.113.7" };
const through = { ...at, phases: { connect: 12 } };
const chain = (fingerprint: string) => [
  {
    subject: "CN=x",
    issuer: "CN=y",
    validFrom: "2026-01-01T00:00:00.000Z",
    validTo: "2026-11-27T10:00:00.000Z",
    fingerprint,
  },
];
const refusedCertificate = (
  error: string,
  fingerprint = "AA",
  names: string[] = [],
): Partial<CheckFacts> => ({
  step: "tls",
  tls: { protocol: "TLSv1.3", cipher: null, chain: chain(fingerprint), error, names },
});

const path = [
  { hop: 5, address: "198.51.100.2", rttMs: 3 },
  { hop: 6, address: "198.51.100.1", rttMs: 4 },
  { hop: 7, address: null, rttMs: null },
];
const lookup = (failure: LookupFailure) =>
  ({
    outcome: "looked_up",
    answer: { hostname: "x", lookups: [{ recordType: "A", values: [], failure }] },
  }) as Evidence;
const truncated = {
  outcome: "looked_up",
  answer: {
    hostname: "x",
    lookups: [
      { recordType: "A", values: [], failure: "timeout", cause: "the answer over UDP was truncated" },
    ],
  },
} as Evidence;
const tcpMonitor = { type: "TCP", config: { host: "shop.example.com", port: 25, interval: 60 } } as const;
const dnsMonitor = { type: "DNS", config: { hostname: "shop.example.com", interval: 60 } } as const;
const ofDns = (reason: LookupFailure, others: Partial<Failure> = {}) =>
  failure(lookup(reason), { status: "missing", detail: { reason } }, { ...dnsMonitor, ...others });

const cases: [rule: string, failure: Failure, layer: Layer, summary: string | RegExp][] = [
  [
    "a name that is gone",
    failed({ reason: "dns_not_found", facts: { step: "dns" } }),
    "dns",
    "shop.example.com no longer exists (NXDOMAIN)",
  ],
  [
    "the name of a redirect that is gone",
    failed({ reason: "dns_not_found", facts: { step: "dns", isRedirected: true } }),
    "dns",
    "the host of a redirect does not exist (NXDOMAIN)",
  ],
  [
    "the host of a redirect that refuses connections",
    failed({ reason: "refused", detail: at, facts: { step: "connect", isRedirected: true } }),
    "port",
    "203.0.113.7 refuses connections",
  ],
  [
    "the certificate of the host of a redirect",
    failed({
      reason: "tls_invalid",
      facts: {
        ...refusedCertificate("ERR_TLS_CERT_ALTNAME_INVALID", "BB", ["www.example.net"]),
        isRedirected: true,
      },
    }),
    "tls",
    "The certificate is valid for www.example.net, not for the host of a redirect",
  ],
  [
    "a name that never was there",
    failed({ reason: "dns_not_found", facts: { step: "dns" } }, { good: null }),
    "dns",
    "shop.example.com does not exist (NXDOMAIN)",
  ],
  [
    "a name without addresses",
    failed({
      reason: "dns_not_found",
      facts: { step: "dns", dns: { server: null, code: "NODATA", records: [], tookMs: 1 } },
    }),
    "dns",
    "shop.example.com has no address",
  ],
  [
    "a refusal of the DNS",
    failed({
      reason: "dns_failed",
      facts: { step: "dns", dns: { server: null, code: "REFUSED", records: [], tookMs: 1 } },
    }),
    "dns",
    /REFUSED/,
  ],
  [
    "a DNS that says nothing about a name",
    failed({ reason: "dns_failed", facts: { step: "dns" } }),
    "unknown",
    /./,
  ],
  [
    "our DNS servers are silent",
    failed({ reason: "dns_unreachable", facts: { step: "dns" } }),
    "unknown",
    /./,
  ],
  ["a DNS monitor: NXDOMAIN", ofDns("nxdomain"), "dns", "shop.example.com no longer exists (NXDOMAIN)"],
  ["a DNS monitor: no record", ofDns("no_data"), "dns", "shop.example.com has no record"],
  ["a DNS monitor: SERVFAIL", ofDns("servfail"), "dns", /SERVFAIL/],
  ["a DNS monitor: garbage", ofDns("malformed"), "dns", /no valid answer about shop\.example\.com/],
  ["a DNS monitor: another error", ofDns("error"), "dns", /no valid answer about shop\.example\.com/],
  ["a DNS monitor: silence of our servers", ofDns("timeout"), "unknown", /./],
  [
    "a DNS monitor: a long answer that could not be had over TCP",
    failure(truncated, { status: "missing", detail: { reason: "timeout" } }, dnsMonitor),
    "dns",
    "The DNS answer about shop.example.com is long, and could not be had over TCP",
  ],
  [
    "a DNS monitor: silence of its own servers",
    ofDns("timeout", { config: { ...dnsMonitor.config, servers: ["192.0.2.53"] } }),
    "dns",
    /do not answer/,
  ],
  [
    "new addresses, where nothing answers",
    failed({ detail: { address: "198.51.100.9" }, told: ["198.51.100.9"] }, { known: ["203.0.113.7"] }),
    "dns",
    "The addresses changed from 203.0.113.7 to 198.51.100.9, where nothing answers",
  ],
  [
    "an old address among the new ones",
    failed({ detail: at, told: ["198.51.100.9", "203.0.113.7"] }, { known: ["203.0.113.7"] }),
    "network",
    "No answer from 203.0.113.7",
  ],
  [
    "addresses of which nothing is known",
    failed({ detail: at, told: ["198.51.100.9"] }),
    "network",
    /No answer/,
  ],
  ["a connection without an answer", failed({ detail: at }), "network", "No answer from 203.0.113.7"],
  [
    "the same with a path",
    failed({ detail: at }, { look: { connections: null, path } }),
    "network",
    "No answer from 203.0.113.7; the path ends after 198.51.100.1 (hop 6)",
  ],
  ["no route", failed({ reason: "unreachable", detail: at }), "network", "Network unreachable: 203.0.113.7"],
  [
    "silence at one address, a refusal at the other",
    failed({
      detail: at,
      facts: {
        attempts: [
          { address: "203.0.113.7", outcome: "timeout" },
          { address: "203.0.113.8", outcome: "refused" },
        ],
      },
    }),
    "unknown",
    /./,
  ],
  [
    "a refused connection",
    failed({ reason: "refused", detail: at }),
    "port",
    "203.0.113.7 refuses connections on port 443",
  ],
  [
    "the same, while other ports answer",
    failed({ reason: "refused", detail: at }, { doOtherPortsAnswer: true }),
    "port",
    "203.0.113.7 refuses connections on port 443; other ports of this host answer",
  ],
  [
    "a refusal that may be a missing route",
    failed({ reason: "refused", detail: at, facts: { mayBeUnreachable: true } }),
    "unknown",
    /./,
  ],
  [
    "a reset before the first byte",
    failed({ reason: "reset", detail: through, facts: { step: "answer" } }),
    "port",
    /reset the connection before it answered/,
  ],
  [
    "a reset after the first byte",
    failed({ reason: "reset", detail: through, facts: { step: "answer", hasAnswered: true } }),
    "protocol",
    "The server reset the connection within its answer",
  ],
  [
    "a reset after the first words of the client in a handshake",
    failed({
      reason: "reset",
      detail: through,
      facts: { step: "tls", tls: { protocol: null, cipher: null, chain: [], error: "ECONNRESET" } },
    }),
    "port",
    /reset the connection before it answered/,
  ],
  [
    "another text than the one that a TCP monitor expects",
    failed({ reason: "closed", detail: through, facts: { step: "body", hasAnswered: true } }, tcpMonitor),
    "content",
    "The server sent another text than the expected one",
  ],
  [
    "no text at all",
    failed({ reason: "closed", detail: through, facts: { step: "body" } }, tcpMonitor),
    "protocol",
    "The server closed the connection before it answered",
  ],
  [
    "a reset instead of a text",
    failed({ reason: "closed", detail: through, facts: { step: "body", isReset: true } }, tcpMonitor),
    "port",
    /reset the connection before it answered/,
  ],
  [
    "silence instead of a text",
    failed({ reason: "timeout", detail: through, facts: { step: "body" } }, tcpMonitor),
    "protocol",
    /then no answer within/,
  ],
  [
    "an answer over HTTP that ends within its status line",
    failed({ reason: "closed", detail: through, facts: { step: "answer", hasAnswered: true } }),
    "protocol",
    "The server closed the connection within its answer",
  ],
  [
    "a certificate for another name, and a new one",
    failed({
      reason: "tls_invalid",
      detail: through,
      facts: refusedCertificate("ERR_TLS_CERT_ALTNAME_INVALID", "BB", ["www.example.net"]),
    }),
    "tls",
    "The certificate changed at this check: it is valid for www.example.net, not for shop.example.com",
  ],
  [
    "a certificate with a name that is a sentence of the server",
    failed({
      reason: "tls_invalid",
      detail: through,
      facts: refusedCertificate("ERR_TLS_CERT_ALTNAME_INVALID", "AA", ["<b>call 555</b>"]),
    }),
    "tls",
    "The certificate is not valid for shop.example.com",
  ],
  [
    "a certificate that has ended",
    failed({ reason: "tls_invalid", detail: through, facts: refusedCertificate("CERT_HAS_EXPIRED") }),
    "tls",
    "The certificate expired on 2026-11-27",
  ],
  [
    "a certificate of a stranger",
    failed({
      reason: "tls_invalid",
      detail: through,
      facts: refusedCertificate("DEPTH_ZERO_SELF_SIGNED_CERT"),
    }),
    "tls",
    "The certificate is not valid: it is self-signed",
  ],
  [
    "a handshake without an end",
    failed({ detail: through, facts: { step: "tls" } }),
    "tls",
    "Connected in 12 ms, then no TLS handshake within 10 s",
  ],
  [
    "a handshake that the server ends",
    failed({ reason: "closed", detail: through, facts: { step: "tls" } }),
    "tls",
    /during the TLS handshake/,
  ],
  [
    "no answer on a connection",
    failed({ detail: through, facts: { step: "answer" } }),
    "protocol",
    "Connected in 12 ms, then no answer within 10 s",
  ],
  [
    "a close before the answer",
    failed({ reason: "closed", detail: through, facts: { step: "answer" } }),
    "protocol",
    /before it answered/,
  ],
  [
    "an answer that is not HTTP",
    failed({ reason: "not_http", detail: through, facts: { step: "answer" } }),
    "protocol",
    "The answer is not HTTP",
  ],
  [
    "another status",
    failed({
      reason: "unexpected",
      detail: { ...through, statusCode: 503, message: "503 Service Unavailable, expected 2xx" },
      facts: { step: "answer" },
    }),
    "content",
    "503 instead of 200",
  ],
  [
    "another status, without a good check before",
    failed(
      {
        reason: "unexpected",
        detail: { ...through, statusCode: 503, message: "503 Service Unavailable, expected 2xx" },
        facts: { step: "answer" },
      },
      { good: null },
    ),
    "content",
    "503 instead of 2xx",
  ],
  [
    "a body that is much smaller",
    failed({
      reason: "unexpected",
      detail: { ...through, statusCode: 200, message: 'the body lacks "Basket"' },
      facts: { step: "body", http: { statusCode: 200, headers: {}, headerNames: [], size: 312, body: "" } },
    }),
    "content",
    "the body is 312 bytes instead of 41,208",
  ],
  [
    "a body that lacks a text",
    failed({
      reason: "unexpected",
      detail: { ...through, statusCode: 200, message: 'the body lacks "Basket"' },
      facts: { step: "body" },
    }),
    "content",
    'the body lacks "Basket"',
  ],
  [
    "a broken body",
    failed({
      reason: "bad_body",
      detail: { ...through, message: "the body could not be read: it ended" },
      facts: { step: "body" },
    }),
    "content",
    /could not be read/,
  ],
  [
    "a first byte that takes longer",
    failure(
      { outcome: "reached", latencyMs: 940, detail: {} },
      { status: "degraded", detail: { phases: { resolve: 3, connect: 11, tls: 21, firstByte: 910 } } },
    ),
    "protocol",
    "The first byte took 910 ms instead of 42; connecting was as fast as before",
  ],
  [
    "a body that takes longer",
    failure(
      { outcome: "reached", latencyMs: 90, detail: {} },
      { status: "degraded", detail: { phases: { resolve: 4, connect: 12, firstByte: 42, body: 910 } } },
      { good: { ...good, phases: { ...good.phases, body: 5 } } },
    ),
    "content",
    "The body took 910 ms instead of 5; connecting was as fast as before",
  ],
  [
    "a body that takes long, and whose time before is not known",
    failure(
      { outcome: "reached", latencyMs: 90, detail: {} },
      { status: "degraded", detail: { phases: { resolve: 4, connect: 12, firstByte: 42, body: 910 } } },
    ),
    "unknown",
    "The cause is not known",
  ],
  [
    "a name that takes longer",
    failure(
      { outcome: "reached", latencyMs: 940, detail: {} },
      { status: "degraded", detail: { phases: { resolve: 800, connect: 80, firstByte: 42 } } },
    ),
    "dns",
    "Looking up the name took 800 ms instead of 3",
  ],
  [
    "lost pings",
    failure(
      { outcome: "reached", latencyMs: 9, detail: {} },
      { status: "degraded", detail: { reason: "packet_loss", message: "3 of 5 pings were lost" } },
    ),
    "network",
    "3 of 5 pings were lost",
  ],
  [
    "a certificate that ends soon",
    failure(
      {
        outcome: "reached",
        latencyMs: 9,
        detail: {},
        tls: { protocol: "TLSv1.3", cipher: null, validTo: "2026-12-01T00:00:00.000Z", advice: [] },
      },
      { status: "degraded", detail: { reason: "expires_soon", message: "" } },
    ),
    "tls",
    "The certificate expires on 2026-12-01",
  ],
  [
    "other records",
    failure(
      { outcome: "looked_up", answer: { hostname: "x", lookups: [] } },
      { status: "changed", detail: { added: ["198.51.100.9"], gone: ["203.0.113.7"] } },
      dnsMonitor,
    ),
    "content",
    "The records of shop.example.com changed from 203.0.113.7 to 198.51.100.9",
  ],
  [
    "one address of two that refuses",
    failure(
      {
        outcome: "by_address",
        omitted: 0,
        addresses: [
          { address: "203.0.113.7", evidence: { outcome: "reached", latencyMs: 1, detail: {} } },
          {
            address: "203.0.113.8",
            evidence: { outcome: "failed", reason: "refused", detail: { address: "203.0.113.8" }, facts },
          },
        ],
      },
      { status: "degraded", detail: { reason: "some_addresses" } },
    ),
    "port",
    "1 of 2 addresses: 203.0.113.8 refuses connections on port 443",
  ],
];

describe("behavior 22.2: the layer of a failure", () => {
  test.each(cases)("%s", (_, given, layer, summary) => {
    const why = explain(given);
    expect(why.layer).toBe(layer);
    if (typeof summary === "string") expect(why.summary).toBe(summary);
    else expect(why.summary).toMatch(summary);
  });

  test("is one of the known ones, in a sentence of at most 200 characters, whatever was seen", () => {
    const text = fc.string({ maxLength: 400 });
    const seen = fc.record({
      reason: fc.constantFrom(...REASONS),
      message: text,
      address: fc.option(fc.ipV4(), { nil: undefined }),
      names: fc.array(text, { maxLength: 3 }),
      step: fc.constantFrom(..."dns connect tls greeting answer body".split(" ")) as fc.Arbitrary<
        CheckFacts["step"]
      >,
      told: fc.option(fc.array(fc.ipV4(), { maxLength: 3 }), { nil: undefined }),
      known: fc.option(fc.array(fc.ipV4(), { maxLength: 3 }), { nil: null }),
    });
    fc.assert(
      fc.property(seen, ({ reason, message, address, names, step, told, known }) => {
        const own = refusedCertificate("ERR_TLS_CERT_ALTNAME_INVALID", "BB", names);
        const given = failed(
          { reason, detail: { message, address }, ...(told && { told }), facts: { ...own, step } },
          { known },
        );
        const why = explain(given);
        expect(LAYERS).toContain(why.layer);
        expect(why.summary.length).toBeWithin(1, 201);
        expect(changesOf(given).length).toBeLessThan(9);
      }),
    );
  });
});

describe("behavior 22.3: the changes since the last good check", () => {
  test("are those of address, certificate, status and size", () => {
    const given = failed(
      {
        reason: "unexpected",
        detail: { address: "203.0.113.9", statusCode: 503, message: "503 Service Unavailable, expected 2xx" },
        told: ["203.0.113.9"],
        facts: {
          step: "answer",
          tls: { protocol: "TLSv1.2", cipher: null, chain: chain("BB"), error: null },
          http: { statusCode: 503, headers: {}, headerNames: [], size: 312, body: "" },
        },
      },
      { known: ["203.0.113.7", "203.0.113.9"] },
    );
    expect(changesOf(given)).toEqual([
      { what: "address", before: "203.0.113.7", now: "203.0.113.9" },
      { what: "certificate", before: "AA", now: "BB" },
      { what: "protocol", before: "TLSv1.3", now: "TLSv1.2" },
      { what: "status_code", before: 200, now: 503 },
      { what: "size", before: 41_208, now: 312 },
    ]);
    expect(changesOf({ ...given, good: null })).toEqual([]);
  });

  test("are the names of headers, if they are others, in whatever order", () => {
    const answered = (headerNames: string[]) =>
      changesOf(
        failed(
          { facts: { http: { statusCode: 200, headers: {}, headerNames, size: null, body: null } } },
          { good: { ...good, headerNames: "date\nx-cache" } },
        ),
      );
    expect(answered(["server", "date"])).toEqual([
      { what: "headers", before: ["date", "x-cache"], now: ["date", "server"] },
    ]);
    expect(answered(["x-cache", "date"])).toEqual([]);
    // The head did not arrive.
    expect(answered([])).toEqual([]);
    const http = { statusCode: 200, headers: {}, headerNames: ["server"], size: null, body: null };
    expect(changesOf(failed({ facts: { http } }))).toEqual([]);
  });

  test("are those of addresses that no good check was given, of what a body lacks, and of the phase that takes longer", () => {
    const told = ["198.51.100.9"];
    const moved = failed({ detail: { address: "203.0.113.7" }, told }, { known: ["203.0.113.7"] });
    expect(changesOf(moved)).toEqual([{ what: "addresses", before: ["203.0.113.7"], now: told }]);
    const message = 'the body lacks "Basket"';
    const lacking = failed({ reason: "unexpected", detail: { message }, facts: { step: "body" } });
    expect(changesOf(lacking)).toEqual([{ what: "content", before: null, now: message }]);
    const detail = { phases: { connect: 12, firstByte: 910 } };
    const slow = failure({ outcome: "reached", latencyMs: 1, detail }, { status: "degraded", detail });
    expect(changesOf(slow)).toEqual([{ what: "phase", before: "firstByte 42 ms", now: "firstByte 910 ms" }]);
  });
});
