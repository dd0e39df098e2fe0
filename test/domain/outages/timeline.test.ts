import { describe, expect, test } from "bun:test";
import type { Status } from "../../../src/domain/monitors/status.ts";
import type { Outage } from "../../../src/domain/outages/outage.ts";
import {
  type OutageHistory,
  type OutageNotification,
  timelineOf,
} from "../../../src/domain/outages/timeline.ts";

const outage: Outage = {
  id: "o",
  monitor: { id: "m", name: "Shop", type: "HTTP" },
  status: "down",
  reason: null,
  startedAt: 100,
  endedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  note: null,
  maintenanceId: null,
  downs: [],
  why: null,
  cause: null,
};

/** Changes at these times, from `up` on. */
function changes(...steps: [at: number, status: Status][]): Pick<OutageHistory, "changes" | "present"> {
  const before: Status[] = ["up", ...steps.map(([, status]) => status)];
  return {
    changes: steps.map(([at], place) => ({ at, previousStatus: before[place] ?? "up" })),
    present: before.at(-1) ?? "up",
  };
}

function timeline(history: Partial<OutageHistory>) {
  const none = { beginsWithChange: true, endsBeforeChange: false, notifications: [], monitors: new Map() };
  return timelineOf({ outage, ...none, ...changes([100, "down"]), ...history });
}

const steps = (history: Partial<OutageHistory>) =>
  timeline(history).map(({ at, kind, status }) => [at, kind, status]);

describe("behavior 14.56: the timeline of an outage has", () => {
  test("what the checks saw, and what confirmed it", () => {
    expect(steps(changes([100, "down"]))).toEqual([[100, "seen", "down"]]);
    expect(steps(changes([140, "down"]))).toEqual([
      [100, "seen", "down"],
      [140, "confirmed", "down"],
    ]);
  });

  test("each change to a worse group, and the recovery", () => {
    const walk = changes([100, "degraded"], [200, "down"], [300, "degraded"], [400, "down"], [500, "up"]);
    expect(steps({ ...walk, outage: { ...outage, endedAt: 500 } })).toEqual([
      [100, "seen", "degraded"],
      [200, "worsened", "down"],
      [400, "worsened", "down"],
      [500, "recovered", "up"],
    ]);
  });

  test("nothing of later outages", () => {
    const walk = changes([100, "down"], [200, "up"], [300, "degraded"], [400, "down"]);
    expect(steps({ ...walk, outage: { ...outage, endedAt: 200 } })).toEqual([
      [100, "seen", "down"],
      [200, "recovered", "up"],
    ]);
  });

  test.each([
    ["the end that several checks confirmed", true, "recovered", "up" as Status],
    ["no recovery if a pause ended it", false, "ended", undefined],
  ])("%s", (_, endsBeforeChange, kind, status) => {
    const walk = changes([100, "down"], [260, "up"]);
    const history = { ...walk, endsBeforeChange, outage: { ...outage, endedAt: 200 } };
    expect<unknown[]>(steps(history).at(-1)).toEqual([200, kind, status]);
  });

  test("the present status if it began without a change, after a pause", () => {
    expect(steps({ changes: [], present: "down", beginsWithChange: false })).toEqual([[100, "seen", "down"]]);
    const walk = { changes: [{ at: 300, previousStatus: "degraded" as const }], present: "down" as const };
    expect(steps({ ...walk, beginsWithChange: false })).toEqual([
      [100, "seen", "degraded"],
      [300, "worsened", "down"],
    ]);
  });

  test("the acknowledgement with its note", () => {
    const given = { acknowledgedAt: 150, acknowledgedBy: "Ada" };
    const items = (note: string | null) => timeline({ outage: { ...outage, ...given, note } }).slice(1);
    expect(items("on it")).toEqual([{ at: 150, kind: "acknowledged", by: "Ada", note: "on it" }]);
    expect(items(null)).toEqual([{ at: 150, kind: "acknowledged", by: "Ada" }]);
  });

  describe("each notification that was decided:", () => {
    const channel = { id: "c", name: "On call", type: "WEBHOOK" } as const;
    const sent: OutageNotification = {
      ...{ createdAt: 101, lastAttemptAt: 105, deliveredAt: 106, delivery: "delivered", hold: null },
      ...{ error: null, status: "down", isReminder: false, channel },
    };
    const by = { monitorId: "r", outageId: "x" };
    const cause = { monitor: { id: "r", name: "Router" }, outageId: "x" };

    test.each<[string, Partial<OutageNotification>, object | undefined]>([
      ["one that arrived", {}, { at: 106, kind: "notified" }],
      ["a repetition", { isReminder: true }, { at: 106, kind: "reminded" }],
      ["one that failed", { delivery: "failed", error: "no" }, { at: 105, kind: "failed", error: "no" }],
      ["a muted one", { delivery: "muted", hold: { kind: "muted", by } }, { at: 101, kind: "muted", cause }],
      [
        "a withdrawn one",
        { delivery: "withdrawn", hold: { kind: "withdrawn", why: "ended" } },
        { at: 101, kind: "withdrawn", why: "ended" },
      ],
      ["none that is pending", { delivery: "pending" }, undefined],
      ["none that is held", { delivery: "held", hold: { kind: "delay" } }, undefined],
      ["none that is hidden", { delivery: "hidden", hold: { kind: "maintenance" } }, undefined],
    ])("%s", (_, values, expected) => {
      const monitors = new Map([["r", "Router"]]);
      const items = timeline({ notifications: [{ ...sent, ...values }], monitors }).slice(1);
      expect<object[]>(items).toEqual(expected ? [{ status: "down", channel, ...expected }] : []);
    });

    test("a muted one has no cause if the monitor is deleted", () => {
      const muted = { ...sent, delivery: "muted", hold: { kind: "muted", by } } as const;
      expect(timeline({ notifications: [muted] }).at(-1)).toMatchObject({ kind: "muted", cause: null });
    });
  });
});
