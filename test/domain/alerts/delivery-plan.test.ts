import { expect, test } from "bun:test";
import {
  type BoundChannel,
  EVERY_GROUP,
  type NotifyOn,
  planDeliveries,
} from "../../../src/domain/alerts/notify.ts";
import type { PlannedTransition } from "../../../src/domain/monitors/recording-plan.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";

/** The transitions of one monitor through these statuses. */
function transitions(...statuses: Status[]): PlannedTransition[] {
  return statuses.slice(1).map((status, resultAt) => ({
    resultAt,
    organization: { id: "o", name: "Organization" },
    monitor: { id: "m", name: "site", type: "HTTP", config: { url: "http://a/", interval: 60 } },
    previousStatus: statuses[resultAt] ?? "unknown",
    status,
  }));
}

function channel(notifyOn: NotifyOn, notifiedStatus: Status | null = null): BoundChannel {
  return { id: "c", type: "WEBHOOK", notifyOn, notifiedStatus };
}

test.each<[string, BoundChannel, Status[], Status[]]>([
  ["every transition", channel(EVERY_GROUP), ["up", "degraded", "down", "up"], ["degraded", "down", "up"]],
  ["only the groups that it lists", channel(["down"]), ["up", "down", "degraded", "up"], ["down"]],
  [
    "a recovery from a group that it lists",
    channel(["down", "healthy"]),
    ["up", "down", "up"],
    ["down", "up"],
  ],
  [
    "no recovery from trouble that it does not list",
    channel(["down", "healthy"]),
    ["up", "degraded", "up"],
    [],
  ],
  [
    "a recovery after trouble that it was notified of in the same batch",
    channel(["down", "healthy"]),
    ["up", "down", "degraded", "up"],
    ["down", "up"],
  ],
  [
    "a recovery after trouble that it was notified of before",
    channel(["down", "healthy"], "down"),
    ["degraded", "up"],
    ["up"],
  ],
  [
    "no recovery if its last notification was one",
    channel(["down", "healthy"], "up"),
    ["degraded", "up"],
    [],
  ],
])("a channel is notified of %s", (_, bound, statuses, expected) => {
  const deliveries = planDeliveries(transitions(...statuses), new Map([["m", [bound]]]));
  expect(deliveries.map(({ transition }) => transition.status)).toEqual(expected);
});

test("a monitor without channels has no deliveries", () => {
  expect(planDeliveries(transitions("up", "down"), new Map())).toEqual([]);
});
