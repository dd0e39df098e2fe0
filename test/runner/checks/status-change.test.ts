import { expect, test } from "bun:test";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import type { ProbedType } from "../../../src/domain/monitors/monitor.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { mayChangeStatus } from "../../../src/runner/checks/run-check.ts";

const NOW = Date.UTC(2027, 5, 1, 12);

const failed: Evidence = { outcome: "failed", reason: "refused", detail: {} };
const reached: Evidence = { outcome: "reached", latencyMs: 1, detail: {} };
const found: Evidence = {
  outcome: "looked_up",
  answer: { hostname: "a", lookups: [{ recordType: "A", values: ["192.0.2.1"], failure: null }] },
};
const config = { url: "http://a/", interval: 60 };

test.each<[ProbedType, Status, string, Evidence, boolean]>([
  ["HTTP", "unknown", "reached", reached, false],
  ["HTTP", "unknown", "failed", failed, true],
  ["HTTP", "up", "reached", reached, false],
  ["HTTP", "degraded", "reached", reached, false],
  ["HTTP", "down", "reached", reached, true],
  ["HTTP", "up", "failed", failed, true],
  ["HTTP", "degraded", "failed", failed, true],
  ["HTTP", "down", "failed", failed, false],
  ["TLS", "no_cert", "failed", failed, false],
  ["DNS", "present", "looked up", found, false],
  ["DNS", "missing", "looked up", found, true],
])("of a %s monitor that is %s, evidence %s", (type, status, _, evidence, expected) => {
  expect(mayChangeStatus({ type, config, status }, { evidence, at: NOW })).toBe(expected);
});
