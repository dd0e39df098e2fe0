import { type AlertEvent, isTransition, type Notification } from "../../../src/domain/alerts/alert-event.ts";
import type { Transition } from "../../../src/domain/alerts/delivery.ts";

export const AT = Date.UTC(2026, 10, 21, 14, 30, 5);
const MINUTE = 60_000;

const organization = { id: "o1", name: "Default" };
const shop = {
  id: "m1",
  name: "Shop front",
  type: "HTTP",
  config: { url: "https://shop.example.com/", interval: 60 },
} as const;
const backup = { id: "m2", name: "Nightly backup", type: "SCHEDULED", config: { interval: 300 } } as const;

export const down: Transition = {
  organization,
  monitor: shop,
  previousStatus: "up",
  status: "down",
  result: {
    id: "r1",
    latencyMs: null,
    detail: { reason: "refused", message: "connect ECONNREFUSED 192.0.2.7:443", address: "192.0.2.7" },
    createdAt: AT,
  },
  since: AT - 75 * 60 * MINUTE,
  troubleSince: AT,
  lastGoodLatencyMs: 41.7,
  outage: { id: "a1", startedAt: AT },
};

export const recovery: Transition = {
  ...down,
  previousStatus: "down",
  status: "up",
  result: { id: "r2", latencyMs: 38.2, detail: { statusCode: 200 }, createdAt: AT },
  since: AT - 10 * MINUTE,
  troubleSince: AT - 12 * MINUTE - 5000,
};

export const degraded: Transition = {
  ...down,
  status: "degraded",
  result: { id: "r3", latencyMs: 1812.4, detail: { statusCode: 200 }, createdAt: AT },
};

export const heartbeat: Transition = {
  organization,
  monitor: backup,
  previousStatus: "ok",
  status: "havent_heard",
  result: { id: "r4", latencyMs: null, detail: null, createdAt: AT },
  since: AT - 26 * 60 * MINUTE,
  troubleSince: AT,
};

/** A target on which others depend. */
export const router: Transition = { ...down, monitor: { ...shop, id: "m3", name: "Router" }, mutes: 12 };

/** The trouble lasts, and the channel repeats it. */
export const reminder: Transition = { ...down, reminder: true };

/** Trouble that got worse after somebody had acknowledged it, and then ended. */
export const acknowledged: Transition = {
  ...recovery,
  outage: { id: "a1", startedAt: AT - 12 * MINUTE - 5000 },
  acknowledged: { at: AT - 10 * MINUTE, by: "Ana's phone", note: "The provider works on it" },
};

export const examples = { down, recovery, degraded, heartbeat, router, reminder, acknowledged };

export const HOSTILE = [
  "<img src=x onerror=alert(1)>",
  "@everyone",
  "<!channel> <@U123>",
  "*bold* _it_ `code` ~~no~~ [a](https://evil.example)",
  "x".repeat(10_000),
  "&<>".repeat(4000),
  "one\r\nBcc: victim@example.com\r\n\r\ntwo",
  "\u202egnp.exe \u05e9\u05dc\u05d5\u05dd",
  "👩‍👩‍👧‍👦🔥".repeat(300),
  "\u0000\u0007",
];

/** A transition in which every text of a user or a target is the given one. */
export function hostile(name: string): Transition {
  const monitor = { ...shop, name };
  const detail = { reason: "dns_failed", message: name };
  return { ...down, monitor, organization: { id: "o1", name }, result: { ...down.result, detail } };
}

export function notified(event: AlertEvent): Notification {
  return { id: "d1", event, now: AT };
}

/** The transition that a delivery reports. @throws Error if it is a notice */
export function transitionOf({ event }: { event: AlertEvent }): Transition {
  if (!isTransition(event)) throw new Error(`the delivery is a notice: ${event.type}`);
  return event;
}
