import { expect, test } from "bun:test";
import { judgeCheck } from "../../src/domain/judge.ts";
import type { MonitorConfig, MonitorType } from "../../src/domain/monitor.ts";
import type { Evidence } from "../../src/domain/observation.ts";

const NOW = Date.parse("2027-01-31T00:00:00Z");
const configs: Record<"HTTP" | "TCP" | "TLS", MonitorConfig> = {
  HTTP: { url: "https://example.com/", interval: 60 },
  TCP: { host: "example.com", port: 22, interval: 60 },
  TLS: { host: "example.com", port: 443, interval: 300 },
};

const judge = (type: keyof typeof configs, evidence: Evidence) =>
  judgeCheck({ type, config: configs[type], memory: null }, evidence, NOW);

const failed: Evidence = { outcome: "failed", reason: "refused", detail: { message: "refused", phases: {} } };

test.each<[MonitorType, string]>([
  ["HTTP", "down"],
  ["TCP", "down"],
  ["TLS", "no_cert"],
])("an %s target that can't be reached is %s, with the reason", (type, status) => {
  expect(judge(type as "TLS", failed)).toEqual({
    status: status as "down",
    latencyMs: null,
    detail: { reason: "refused", message: "refused", phases: {} },
    memory: null,
  });
});

test("a target that answers is up, with its latency", () => {
  const evidence: Evidence = { outcome: "reached", latencyMs: 12.5, detail: { statusCode: 500 } };
  expect(judge("HTTP", evidence)).toMatchObject({
    status: "up",
    latencyMs: 12.5,
    detail: { statusCode: 500 },
  });
});

test("a DNS monitor has no latency, and remembers what it saw", () => {
  const config = { hostname: "example.com", interval: 300 };
  const lookups = [{ recordType: "A" as const, values: ["192.0.2.1"], failure: null }];
  const evidence: Evidence = { outcome: "looked_up", answer: { hostname: "example.com", lookups } };
  expect(judgeCheck({ type: "DNS", config, memory: null }, evidence, NOW)).toMatchObject({
    status: "present",
    latencyMs: null,
    memory: { "A 192.0.2.1": NOW },
  });
});
