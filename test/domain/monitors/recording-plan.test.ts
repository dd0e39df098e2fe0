import { describe, expect, test } from "bun:test";
import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import { baselineStart, noLatency } from "../../../src/domain/checks/latency-baseline.ts";
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
  const { id = "m", enabled = true, revision = 0, confirmations = 0, recoveries = 0, ...state } = values;
  return {
    id,
    organization: { id: "o", name: "Organization" },
    name: "monitor",
    type,
    config: type === "SCHEDULED" ? { interval: 300 } : { host: "a", port: 1, interval: 60 },
    enabled,
    revision,
    confirmations,
    recoveries,
    places: null,
    windowAt: null,
    isAwaited: false,
    state: {
      status: "unknown",
      statusBefore: null,
      statusSince: null,
      troubleSince: null,
      suspicion: null,
      outage: null,
      lastGoodLatencyMs: null,
      nextCheckAt: null,
      openHour: null,
      memory: null,
      baseline: noLatency,
      baselineStart: baselineStart(NOW),
      heartbeat: silentHeartbeat,
      places: null,
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
      rollups: [],
      states: new Map(),
      outages: [],
      transitions: [],
      runs: [],
      evidence: [],
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
    const { rollups, states } = plan(subject("TCP"), check(up), check(down, NOW + 1));
    expect(rollups.map(({ status, latencySum }) => [status, latencySum])).toEqual([["up", 123]]);
    expect(states.get("m")?.openHour).toMatchObject({ status: "down", count: 1, latencyCount: 0 });
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
      [
        {
          kind: "opened",
          monitorId: "m",
          resultAt: 0,
          startedAt: NOW,
          status: "down",
          reason: "refused",
          maintenanceId: null,
        },
        { kind: "downBegan", monitorId: "m", resultAt: 0, at: NOW },
      ],
    ],
    [
      "gets the worst status",
      subject("TCP", { status: "degraded", outage }),
      down,
      [
        { kind: "worsened", monitorId: "m", resultAt: 0, status: "down" },
        { kind: "downBegan", monitorId: "m", resultAt: 0, at: NOW },
      ],
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
      [
        {
          kind: "opened",
          monitorId: "m",
          resultAt: 0,
          startedAt: NOW,
          status: "down",
          reason: "refused",
          maintenanceId: null,
        },
        { kind: "downBegan", monitorId: "m", resultAt: 0, at: NOW },
      ],
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

describe("a suspicion", () => {
  const SECOND = 1000;
  const usual = { count: 20, sum: 2000, sumOfSquares: 200_000 };
  const slow: Evidence = { outcome: "reached", latencyMs: 900, detail: { statusCode: 200 } };

  /** Records checks 20 s apart. @returns the plan of all, and what each recorded */
  function walk(of: RecordingSubject, ...evidence: Evidence[]) {
    const planned = plan(of, ...evidence.map((one, at) => check(one, NOW + at * 20 * SECOND)));
    const results = planned.results.map(({ status, latencyMs, detail }) => ({ status, latencyMs, detail }));
    return { ...planned, results, state: planned.states.get("m") };
  }

  test("behavior 11.7: records results with the current status, the measured latency and what was seen", () => {
    const of = subject("TCP", { status: "up", baseline: usual, confirmations: 2 });
    expect(walk(of, slow, down, down).results).toEqual([
      { status: "up", latencyMs: 900, detail: { statusCode: 200, seen: { status: "degraded" } } },
      {
        status: "up",
        latencyMs: null,
        detail: { seen: { status: "down", reason: "refused", message: "no" } },
      },
      // All agree on degraded at least; the last two go on.
      {
        status: "degraded",
        latencyMs: null,
        detail: { seen: { status: "down", reason: "refused", message: "no" } },
      },
    ]);
  });

  test.each<[string, RecordingSubject, Evidence, number | null, number]>([
    [
      "slow, recorded as up",
      subject("TCP", { status: "up", baseline: usual, confirmations: 1 }),
      slow,
      9000,
      21,
    ],
    [
      "up, recorded as down",
      subject("TCP", { status: "down", baseline: usual, recoveries: 1 }),
      slow,
      null,
      20,
    ],
    [
      "down, recorded as up",
      subject("TCP", { status: "up", baseline: usual, confirmations: 1 }),
      down,
      null,
      20,
    ],
  ])(
    "behavior 11.7: counts the latency of a check that was %s the same in rollups and baseline",
    (_, of, evidence, tenths, count) => {
      const { states } = plan(of, check(evidence));
      expect(states.get("m")?.openHour?.shortest).toBe(tenths);
      expect(states.get("m")?.baseline.count).toBe(count);
      expect(states.get("m")?.lastGoodLatencyMs).toBeNull();
    },
  );

  test("behavior 11.9: an outage begins at the first check that saw it and ends at the first that saw its end", () => {
    const of = subject("TCP", {
      status: "up",
      statusSince: NOW - MINUTE,
      confirmations: 1,
      recoveries: 1,
    });
    const { outages, transitions, state } = walk(of, down, up, down, down, up, down, up, up);
    const [first, end] = [NOW + 40 * SECOND, NOW + 120 * SECOND];
    expect<object[]>(outages).toEqual([
      {
        kind: "opened",
        monitorId: "m",
        resultAt: 3,
        startedAt: first,
        status: "down",
        reason: "refused",
        maintenanceId: null,
      },
      { kind: "downBegan", monitorId: "m", resultAt: 3, at: first },
      { kind: "closed", monitorId: "m", resultAt: 7, endedAt: end },
    ]);
    expect<object[]>(transitions).toMatchObject([
      { resultAt: 3, status: "down", changedAt: first, since: NOW - MINUTE, troubleSince: first },
      { resultAt: 7, status: "up", changedAt: end, since: first, troubleSince: first },
    ]);
    expect(state).toMatchObject({ status: "up", statusSince: end, troubleSince: null, suspicion: null });
  });

  test("behavior 11.9: a transition without further checks has no other time than its result", () => {
    const { transitions } = plan(subject("TCP", { status: "up" }), check(down));
    expect(transitions[0]).not.toHaveProperty("changedAt");
  });

  test("behavior 11.9: after a pause, a check that saw the end of the trouble opens no outage", () => {
    const of = subject("TCP", { status: "down", troubleSince: 1, recoveries: 1 });
    expect(walk(of, up, up).outages).toEqual([]);
    expect<object[]>(walk(of, up, down).outages).toMatchObject([
      { kind: "opened", startedAt: NOW + 20 * SECOND },
      { kind: "downBegan", at: NOW + 20 * SECOND },
    ]);
  });

  describe("behavior 11.8: the next check", () => {
    const due = (of: RecordingSubject, ...events: Recording[]) =>
      plan(of, ...events).recorded.map((one) => one?.nextCheckAt);
    const slot = nextCheckAt("m", 60, NOW);
    const of = subject("TCP", { status: "up", confirmations: 2 });

    test("is due 20 s after the end of the previous one, also if a regular slot is earlier", () => {
      const end = slot - 5 * SECOND;
      expect(due(of, check(down, end, { startAt: end - 3 * SECOND }))).toEqual([end + 20 * SECOND]);
    });

    test("replaces the regular slots before its end", () => {
      // It begins before a slot and ends after it.
      const first = check(down, slot - 22 * SECOND);
      const startAt = slot - 2 * SECOND;
      expect(due(of, first, check(up, slot + SECOND, { startAt }))[1]).toBe(slot + MINUTE);
      expect(due(of, first, check(up, slot - SECOND, { startAt }))[1]).toBe(slot);
      expect(due(of, first, check(down, slot + SECOND, { startAt }))[1]).toBe(slot + 21 * SECOND);
    });

    test("is due in its slot after the change is confirmed", () => {
      const times = [slot + SECOND, slot + 21 * SECOND, slot + 41 * SECOND];
      expect(due(of, ...times.map((at) => check(down, at)))[2]).toBe(slot + MINUTE);
    });
  });

  test("behavior 11.11: failures and missed runs of a job count in a row, and the next check-in sees its own status", () => {
    const HOUR = 60 * MINUTE;
    const job = subject("SCHEDULED", {
      status: "ok",
      confirmations: 2,
      heartbeat: { ...silentHeartbeat, lastCheckinAt: NOW - 26 * HOUR, deadline: NOW - HOUR },
    });
    const { results, recorded, states } = plan(
      job,
      { kind: "silence", monitorId: "m", at: NOW },
      checkin("fail", NOW + 1),
      checkin("fail", NOW + 2),
      checkin("ok", NOW + 3),
    );
    expect(results.map(({ status, detail, createdAt }) => [status, detail, createdAt - NOW])).toEqual([
      ["ok", { seen: { status: "havent_heard" } }, -HOUR],
      ["ok", { seen: { status: "failed" } }, 1],
      ["havent_heard", { seen: { status: "failed" } }, 2],
      ["ok", null, 3],
    ]);
    expect(recorded.map((one) => [one?.seen, one?.missed, one?.nextCheckAt])).toEqual([
      ["havent_heard", 1, null],
      ["failed", 0, null],
      ["failed", 0, null],
      ["ok", 0, null],
    ]);
    expect(states.get("m")?.suspicion).toBeNull();
  });

  test("behavior 11.11: check-ins of a paused job decide immediately", () => {
    const job = subject("SCHEDULED", { status: "ok", enabled: false, confirmations: 5, recoveries: 5 });
    expect(plan(job, checkin("fail"), checkin("ok", NOW + 1)).results.map(({ status }) => status)).toEqual([
      "failed",
      "ok",
    ]);
  });

  describe("behavior 11.12: a DNS answer", () => {
    const answer = (...values: string[]): Evidence => ({
      outcome: "looked_up",
      answer: { hostname: "a", lookups: [{ recordType: "A", values, failure: null }] },
    });
    const none: Evidence = {
      outcome: "looked_up",
      answer: { hostname: "a", lookups: [{ recordType: "A", values: [], failure: "nxdomain" }] },
    };
    const name = (numbers: object) => ({
      ...subject("DNS", numbers),
      config: { hostname: "a", interval: 60 } as const,
    });
    const statuses = (of: RecordingSubject, ...evidence: Evidence[]) =>
      walk(of, ...evidence).results.map(({ status, detail }) => [
        status,
        (detail?.seen as { status: Status } | undefined)?.status ?? status,
      ]);

    test("is still new at the check that confirms it, and known after that", () => {
      const of = name({ confirmations: 1 });
      expect(
        statuses(of, answer("192.0.2.1"), answer("192.0.2.2"), answer("192.0.2.2"), answer("192.0.2.2")),
      ).toEqual([
        ["present", "present"],
        ["present", "changed"],
        ["changed", "changed"],
        ["present", "present"],
      ]);
    });

    test("that only one check saw is new whenever it comes again", () => {
      const of = name({ confirmations: 1 });
      const [usual, other] = [answer("192.0.2.1"), answer("192.0.2.2")];
      expect(statuses(of, usual, other, usual, other, other)).toEqual([
        ["present", "present"],
        ["present", "changed"],
        ["present", "present"],
        ["present", "changed"],
        ["changed", "changed"],
      ]);
    });

    test("of a recovery is new until it is confirmed", () => {
      const of = name({ recoveries: 1 });
      expect(statuses(of, answer("192.0.2.1"), none, answer("192.0.2.2"), answer("192.0.2.2"))).toEqual([
        ["present", "present"],
        ["missing", "missing"],
        ["missing", "changed"],
        ["changed", "changed"],
      ]);
    });
  });

  test("behavior 1.48: a latency that is unknown neither begins nor confirms Degraded", () => {
    const of = subject("TCP", { status: "up", baseline: usual, confirmations: 1 });
    const unknown: Evidence = { outcome: "reached", latencyMs: null, detail: {} };
    expect(walk(of, slow, unknown, slow).results.map(({ status }) => status)).toEqual(["up", "up", "up"]);
  });
});
