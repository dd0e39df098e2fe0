import { describe, expect, test } from "bun:test";
import type { Certificate } from "../../../src/domain/checks/certificate.ts";
import { recordOf } from "../../../src/domain/checks/dns-answer.ts";
import { isSameTarget, judgeCheck, type Memory } from "../../../src/domain/checks/judge.ts";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import type { MonitorConfig, MonitorType } from "../../../src/domain/monitors/monitor.ts";

const NOW = Date.parse("2027-01-31T00:00:00Z");
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const configs: Record<"HTTP" | "TCP" | "TLS", MonitorConfig> = {
  HTTP: { url: "https://example.com/", interval: 60 },
  TCP: { host: "example.com", port: 22, interval: 60 },
  TLS: { host: "example.com", port: 443, interval: 300 },
};

const judge = (type: keyof typeof configs, evidence: Evidence) =>
  judgeCheck({ type, config: configs[type], memory: null }, evidence, NOW);

function certified(shown: Partial<Certificate>): Evidence {
  const certificate: Certificate = {
    authorized: true,
    authorizationError: null,
    subject: "CN=example.com",
    issuer: "CN=Authority",
    names: ["example.com"],
    validFrom: new Date(NOW - 30 * DAY).toISOString(),
    validTo: new Date(NOW + 60 * DAY).toISOString(),
    fingerprint: "AA",
    protocol: "TLSv1.3",
    ...shown,
  };
  return { outcome: "certified", latencyMs: 12, certificate, detail: {} };
}

const failed: Evidence = { outcome: "failed", reason: "refused", detail: { message: "refused", phases: {} } };

test.each<[MonitorType, string]>([
  ["HTTP", "down"],
  ["TCP", "down"],
  ["TLS", "no_cert"],
])("behavior 1.23: an %s target that is not reachable is %s, with the reason", (type, status) => {
  expect(judge(type as "TLS", failed)).toEqual({
    status: status as "down",
    latencyMs: null,
    detail: { reason: "refused", message: "refused", phases: {} },
    memory: null,
  });
});

test("a target that responds is up, with its latency", () => {
  const evidence: Evidence = { outcome: "reached", latencyMs: 12.5, detail: { statusCode: 500 } };
  expect(judge("HTTP", evidence)).toMatchObject({
    status: "up",
    latencyMs: 12.5,
    detail: { statusCode: 500 },
  });
});

test("behavior 20.20: the certificate of a TCP server is in the detail, as for TLS monitors", () => {
  const { certificate } = certified({ validTo: new Date(NOW - DAY).toISOString() }) as {
    certificate: Certificate;
  };
  const up: Evidence = { outcome: "reached", latencyMs: 1, certificate, detail: { address: "192.0.2.1" } };
  expect(judge("TCP", up)).toMatchObject({ status: "up", detail: { ...certificate, address: "192.0.2.1" } });
  const down: Evidence = { outcome: "failed", reason: "tls_invalid", certificate, detail: {} };
  expect(judge("TCP", down)).toMatchObject({
    status: "down",
    detail: { reason: "tls_invalid", ...certificate },
  });
});

test("behavior 1.40: a DNS monitor has no latency, but a memory", () => {
  const config = { hostname: "example.com", interval: 300 };
  const lookups = [{ recordType: "A" as const, values: ["192.0.2.1"], failure: null }];
  const evidence: Evidence = { outcome: "looked_up", answer: { hostname: "example.com", lookups } };
  expect(judgeCheck({ type: "DNS", config, memory: null }, evidence, NOW)).toMatchObject({
    status: "present",
    latencyMs: null,
    memory: { seen: { A: NOW, [recordOf("A", "192.0.2.1")]: NOW } },
  });
});

test("the detail of a certificate with thousands of names has 20 of them, and the number of the others", () => {
  const names = Array.from({ length: 2500 }, (_, at) => `${"a".repeat(60)}.${at}.example.com`);
  const { detail } = judge("TLS", certified({ names, subject: "\u202e".repeat(50_000) }));
  expect(detail).toMatchObject({ names: names.slice(0, 20), omitted: { names: 2480 }, fingerprint: "AA" });
  expect(Buffer.byteLength(JSON.stringify(detail))).toBeLessThan(16_385);
});

test("the detail of an answer with thousands of long texts has 20 of them, cut to 255 characters", () => {
  const config = { hostname: "example.com", interval: 300 };
  const values = Array.from({ length: 3000 }, (_, at) => `${at} ${"é".repeat(400)}`);
  const lookups = [{ recordType: "TXT" as const, values, failure: null }];
  const evidence: Evidence = { outcome: "looked_up", answer: { hostname: "example.com", lookups } };
  const { detail } = judgeCheck({ type: "DNS", config, memory: null }, evidence, NOW);
  expect(detail).toEqual({
    values: values.slice(0, 20).map((value) => `${value.slice(0, 254)}…`),
    added: [],
    gone: [],
    omitted: { values: 2980 },
  });
});

test.each(["\u0001", "字", "😀", "\ud800"])(
  "behavior 1.67: a detail of many %p has at most 16 KiB",
  (character) => {
    const config = { hostname: "example.com", expected: ["gone"], interval: 300 };
    const values = Array.from({ length: 3000 }, (_, at) => `${at} ${character.repeat(400)}`);
    const lookups = [{ recordType: "TXT" as const, values, failure: null }];
    const evidence: Evidence = { outcome: "looked_up", answer: { hostname: "example.com", lookups } };
    const { detail } = judgeCheck({ type: "DNS", config, memory: null }, evidence, NOW);
    expect(detail).toMatchObject({ gone: ["gone"], omitted: { values: 2980, added: 2980 } });
    expect(Buffer.byteLength(JSON.stringify(detail))).toBeLessThan(16_385);
  },
);

describe("a certificate that is not valid yet", () => {
  const begins = (at: number) => certified({ validFrom: new Date(at).toISOString() });
  const check = (memory: Memory | null, evidence: Evidence, now: number) =>
    judgeCheck({ type: "TLS", config: configs.TLS, memory }, evidence, now);

  test("is active if it was valid at an earlier check, because the clock was set back", () => {
    const before = check(null, begins(NOW), NOW);
    expect(before.status).toBe("active");
    const after = check(before.memory, begins(NOW), NOW - HOUR);
    expect(after.status).toBe("active");
    expect(check(after.memory, begins(NOW), NOW - HOUR).status).toBe("active");
  });

  test("is expired if no earlier check saw it valid", () => {
    const { status, memory } = check(null, begins(NOW), NOW - HOUR);
    expect(status).toBe("expired");
    expect(check(memory, begins(NOW), NOW - HOUR).status).toBe("expired");
    const other = check(null, certified({ fingerprint: "BB" }), NOW - HOUR);
    expect(check(other.memory, begins(NOW), NOW - HOUR).status).toBe("expired");
  });

  test("is remembered while the servers of an address present different certificates", () => {
    const first = check(null, begins(NOW), NOW);
    const second = check(first.memory, certified({ fingerprint: "BB" }), NOW);
    expect(check(second.memory, begins(NOW), NOW - HOUR).status).toBe("active");
  });

  test("has a bounded memory if the server presents another one each time", () => {
    let memory: Memory | null = null;
    for (let at = 0; at < 100; at++) {
      memory = check(memory, certified({ fingerprint: String(at) }), NOW).memory;
    }
    expect(memory).toEqual({ valid: Array.from({ length: 20 }, (_, at) => String(99 - at)) });
  });

  test("expires at its end nevertheless", () => {
    const { memory } = check(null, begins(NOW), NOW);
    expect(check(memory, begins(NOW), NOW + 400 * DAY).status).toBe("expired");
  });
});

test.each<[string, MonitorConfig, MonitorConfig, boolean]>([
  [
    "another path",
    { url: "https://a.test/x", interval: 1 },
    { url: "https://A.test:443/y", interval: 2 },
    true,
  ],
  ["another scheme", { url: "https://a.test/", interval: 1 }, { url: "http://a.test/", interval: 1 }, false],
  ["another host", { url: "https://a.test/", interval: 1 }, { url: "https://b.test/", interval: 1 }, false],
  [
    "another port",
    { url: "https://a.test/", interval: 1 },
    { url: "https://a.test:444/", interval: 1 },
    false,
  ],
  [
    "another TCP port",
    { host: "a.test", port: 1, interval: 1 },
    { host: "a.test", port: 2, interval: 1 },
    false,
  ],
  [
    "another TCP host",
    { host: "a.test", port: 1, interval: 1 },
    { host: "b.test", port: 1, interval: 1 },
    false,
  ],
  [
    "the same host, in another spelling",
    { host: "a.test", port: 1, interval: 1 },
    { host: "A.test.", port: 1, interval: 9 },
    true,
  ],
  [
    "the same name, in another spelling",
    { hostname: "a.test", interval: 1 },
    { hostname: "A.test.", interval: 9 },
    true,
  ],
  [
    "another record type",
    { hostname: "a.test", interval: 1 },
    { hostname: "a.test", recordType: "A", interval: 1 },
    false,
  ],
  [
    "another protocol of HTTP",
    { url: "https://a.test/", interval: 1 },
    { url: "https://a.test/", protocol: "websocket", interval: 1 },
    false,
  ],
  [
    "the default protocol of HTTP",
    { url: "https://a.test/", interval: 1 },
    { url: "https://a.test/b", protocol: "http", interval: 1 },
    true,
  ],
  ["another cron", { cron: "* * * * *", interval: 300 }, { interval: 300 }, true],
])("behavior 2.8, 4.15, 20.64: with %s, whether it is the same target", (_, before, after, same) => {
  expect(isSameTarget(before, after)).toBe(same);
});
