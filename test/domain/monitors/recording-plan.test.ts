import { describe, expect, test } from "bun:test";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import { baselineStart, emptyBaseline } from "../../../src/domain/checks/latency-baseline.ts";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import { silentHeartbeat } from "../../../src/domain/heartbeats/heartbeat.ts";
import type { MonitorType } from "../../../src/domain/monitors/monitor.ts";
import {
  type MonitorState,
  planRecording,
  type Recording,
  type RecordingPlan,
  type RecordingSubject,
} from "../../../src/domain/monitors/recording-plan.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";

const NOW = Date.UTC(2027, 0, 1, 12);
const MINUTE = 60_000;

function subject(type: MonitorType, values: Partial<RecordingSubject & MonitorState> = {}): RecordingSubject {
  const { id = "m", enabled = true, revision = 0, ...state } = values;
  return {
    id,
    organization: { id: "o", name: "Organization" },
    name: "monitor",
    type,
    config: type === "SCHEDULED" ? { interval: 300 } : { host: "a", port: 1, interval: 60 },
    enabled,
    revision,
    state: {
      status: "unknown",
      statusSince: null,
      troubleSince: null,
      outage: null,
      lastGoodLatencyMs: null,
      nextCheckAt: null,
      memory: null,
      baseline: emptyBaseline,
      baselineStart: baselineStart(NOW),
      heartbeat: silentHeartbeat,
      ...state,
    },
  };
}

const up: Evidence = { outcome: "reached", latencyMs: 12.345, detail: {} };
const down: Evidence = { outcome: "failed", reason: "refused", detail: { message: "no" } };

function check(evidence: Evidence, at = NOW, more: { revision?: number; startAt?: number } = {}): Recording {
  return { kind: "check", monitorId: "m", revision: 0, evidence, at, ...more };
}

function checkin(status: string, at = NOW): Recording {
  return { kind: "checkin", monitorId: "m", status, at };
}

function plan(of: RecordingSubject, ...events: Recording[]): RecordingPlan {
  return planRecording(new Map([[of.id, of]]), events);
}

describe("an event", () => {
  test.each<[string, RecordingSubject | null, Recording]>([
    ["of a monitor that is gone", null, check(up)],
    ["of a check that began before an edit", subject("TCP", { revision: 1 }), check(up)],
    ["that is a check-in of a monitor of another type", subject("TCP"), checkin("ok")],
  ])("behavior 1.14: %s changes nothing", (_, of, event) => {
    const planned = planRecording(new Map(of ? [["m", of]] : []), [event]);
    expect(planned).toEqual({
      results: [],
      states: new Map(),
      outages: [],
      transitions: [],
      recorded: [null],
    });
  });

  test("of a monitor follows the previous ones of the batch", () => {
    const { results, states, recorded } = plan(
      subject("SCHEDULED"),
      checkin("ok"),
      checkin("fail", NOW + 1),
      checkin("ok", NOW + 2),
    );
    expect(results.map(({ status, createdAt }) => [status, createdAt - NOW])).toEqual([
      ["ok", 0],
      ["failed", 1],
      ["ok", 2],
    ]);
    expect(states.get("m")).toMatchObject({ status: "ok", statusSince: NOW + 2 });
    expect(states.get("m")?.heartbeat.gaps).toHaveLength(2);
    expect(recorded.map((one) => one?.notable)).toEqual([false, true, true]);
  });
});

describe("a result", () => {
  test.each<[Status, Evidence, Partial<MonitorState>]>([
    ["unknown", up, { status: "up", statusSince: NOW, troubleSince: null, lastGoodLatencyMs: 12.35 }],
    ["unknown", down, { status: "down", statusSince: NOW, troubleSince: NOW, lastGoodLatencyMs: 7 }],
    ["up", up, { status: "up", statusSince: 1, troubleSince: null, lastGoodLatencyMs: 12.35 }],
    ["up", down, { status: "down", statusSince: NOW, troubleSince: NOW, lastGoodLatencyMs: 7 }],
  ])("after %s changes the state", (status, evidence, expected) => {
    const { states } = plan(
      subject("TCP", { status, statusSince: 1, lastGoodLatencyMs: 7 }),
      check(evidence),
    );
    expect(states.get("m")).toMatchObject(expected);
  });

  test("counts its latency in the rollups only if it does not lower the uptime", () => {
    const { results } = plan(subject("TCP"), check(up), check(down, NOW + 1));
    expect(results.map(({ addition }) => addition.tenths)).toEqual([123, null]);
  });
});

describe("the next check", () => {
  test("is due in the slot after the start of the last one", () => {
    const startAt = nextCheckAt("m", 60, NOW);
    const { recorded } = plan(subject("TCP"), check(up, startAt + 59_999, { startAt }));
    expect(recorded[0]?.nextCheckAt).toBe(startAt + MINUTE);
  });

  test.each([
    ["a paused monitor", subject("TCP", { enabled: false }), check(up)],
    ["a job", subject("SCHEDULED"), checkin("ok")],
  ])("behavior 1.1, 1.15: of %s is never due", (_, of, event) => {
    expect(plan(of, event).recorded[0]?.nextCheckAt).toBeNull();
  });
});

describe("an outage", () => {
  const outage = { startedAt: NOW - MINUTE, status: "degraded" as Status };

  test.each<[string, RecordingSubject, Evidence, object[]]>([
    [
      "opens with the first unhealthy result",
      subject("TCP", { status: "up" }),
      down,
      [{ kind: "opened", monitorId: "m", resultAt: 0, startedAt: NOW, status: "down", reason: "refused" }],
    ],
    [
      "gets the worst status",
      subject("TCP", { status: "degraded", outage }),
      down,
      [{ kind: "worsened", monitorId: "m", resultAt: 0, status: "down" }],
    ],
    [
      "keeps the worst status",
      subject("TCP", { status: "down", outage: { ...outage, status: "down" } }),
      down,
      [],
    ],
    [
      "ends with the first healthy result",
      subject("TCP", { status: "degraded", outage }),
      up,
      [{ kind: "closed", monitorId: "m", resultAt: 0, endedAt: NOW }],
    ],
    ["does not open for a paused monitor", subject("TCP", { status: "up", enabled: false }), down, []],
    [
      "opens again after a pause, although the status stays the same",
      subject("TCP", { status: "down", troubleSince: 1 }),
      down,
      [{ kind: "opened", monitorId: "m", resultAt: 0, startedAt: NOW, status: "down", reason: "refused" }],
    ],
  ])("%s", (_, of, evidence, expected) => {
    const { outages } = plan(of, check(evidence));
    expect<unknown[]>(outages).toEqual(expected);
  });
});

describe("a transition", () => {
  test("contains the state before it", () => {
    const before = { status: "up" as Status, statusSince: NOW - MINUTE, lastGoodLatencyMs: 7 };
    const { transitions } = plan(subject("TCP", before), check(down), check(up, NOW + 1));
    expect(transitions).toMatchObject([
      {
        resultAt: 0,
        previousStatus: "up",
        status: "down",
        since: NOW - MINUTE,
        troubleSince: NOW,
        lastGoodLatencyMs: 7,
      },
      {
        resultAt: 1,
        previousStatus: "down",
        status: "up",
        since: NOW,
        troubleSince: NOW,
        lastGoodLatencyMs: 7,
      },
    ]);
  });

  test.each<[string, RecordingSubject, Evidence]>([
    ["of a paused monitor", subject("TCP", { status: "up", enabled: false }), down],
    ["to the same status", subject("TCP", { status: "down" }), down],
    ["from unknown to a healthy status", subject("TCP"), up],
  ])("behavior 5.2, 5.3: %s does not notify a channel", (_, of, evidence) => {
    const { transitions, recorded } = plan(of, check(evidence));
    expect(transitions).toEqual([]);
    expect(recorded[0]?.notable).toBe(false);
  });
});

describe("silence", () => {
  const HOUR = 60 * MINUTE;
  const job = subject("SCHEDULED", {
    status: "ok",
    heartbeat: { ...silentHeartbeat, lastCheckinAt: NOW - 26 * HOUR, deadline: NOW - HOUR },
  });

  test("after a deadline is one missed run with the time of the deadline", () => {
    const { results, recorded, states } = plan(job, { kind: "silence", monitorId: "m", at: NOW });
    expect(results).toMatchObject([{ status: "havent_heard", createdAt: NOW - HOUR }]);
    expect(recorded[0]).toMatchObject({ missed: 1, notable: true, status: "havent_heard" });
    expect(states.get("m")?.heartbeat.deadline).toBe(NOW + 23 * HOUR);
  });

  test("in which this service did not run extends the deadline", () => {
    const event = { kind: "outage", monitorId: "m", from: NOW - 2 * HOUR, at: NOW } as const;
    const { results, states } = planRecording(new Map([["m", job]]), [event]);
    expect(results).toEqual([]);
    expect(states.get("m")?.heartbeat).toMatchObject({ deadline: NOW + 25 * HOUR, excused: true });
  });
});
