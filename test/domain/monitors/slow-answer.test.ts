import { expect, test } from "bun:test";
import { noLatency } from "../../../src/domain/checks/latency-baseline.ts";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import { silentHeartbeat } from "../../../src/domain/heartbeats/heartbeat.ts";
import { judgeEvent } from "../../../src/domain/monitors/monitor-event.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";

const judge = (evidence: Evidence, status: Status = "up") =>
  judgeEvent(
    {
      type: "HTTP",
      status,
      config: { url: "http://a.test/", interval: 60, expect: { within: 100 } },
      enabled: true,
      memory: null,
      baseline: noLatency,
      heartbeat: silentHeartbeat,
    },
    { kind: "check", evidence, at: 0 },
  );
const slow = { outcome: "reached", latencyMs: 20, slowBy: 100, detail: { statusCode: 200 } } as const;

test.each<[string, Evidence, Status, Status]>([
  ["is slower than expected", slow, "up", "degraded"],
  ["is fast", { outcome: "reached", latencyMs: 20, detail: {} }, "degraded", "up"],
  ["is slow, also without what an own fault added", { ...slow, lateBy: 99 }, "up", "degraded"],
  ["may be slow because of an own fault", { ...slow, lateBy: 100 }, "up", "up"],
  ["may be slow because of an own fault, and was degraded", { ...slow, lateBy: 100 }, "degraded", "degraded"],
  ["was delayed by an own fault", { ...slow, latencyMs: null }, "up", "up"],
])(
  "behavior 10.25: without a baseline, an answer that %s: %j from %s is %s",
  (_, evidence, before, after) => {
    expect(judge(evidence, before).results).toMatchObject([{ status: after }]);
  },
);

test("behavior 10.25: a slow latency counts in the baseline; 10.21: that of a failed expectation does not", () => {
  expect(judge(slow).baseline.count).toBe(1);
  const failed = { outcome: "failed", reason: "unexpected", latencyMs: 20, detail: {} } as const;
  const { results, baseline } = judge(failed);
  expect(results).toMatchObject([{ status: "down", latencyMs: 20, detail: { reason: "unexpected" } }]);
  expect(baseline).toEqual(noLatency);
});
