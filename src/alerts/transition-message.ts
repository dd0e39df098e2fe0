import type { Transition } from "../domain/alerts/delivery.ts";
import { groupOf, type Status, statusLabel } from "../domain/monitors/status.ts";
import { oneLine } from "../domain/truncate.ts";
import type { AlertMessage } from "./message.ts";
import { reasonOf } from "./reason.ts";
import { factsOf } from "./transition-facts.ts";

/** By the new status; the title is the name of the monitor and these words. */
const verdicts: Record<Status, string> = {
  up: "is up",
  down: "is down",
  degraded: "is slow",
  active: "has a current certificate",
  expiring_soon: "has a certificate that expires soon",
  expired: "has an expired certificate",
  no_cert: "presents no certificate",
  present: "is in the DNS",
  missing: "is missing from the DNS",
  changed: "has changed in the DNS",
  ok: "has succeeded",
  failed: "has failed",
  havent_heard: "has not checked in",
  unknown: "is waiting for its first result",
};

/** Recoveries for which the verdict and "again" would be wrong, by the previous and the new status. */
const recoveries: Partial<Record<`${Status} ${Status}`, string>> = {
  "degraded up": "is fast again",
  "expiring_soon active": "has a certificate that no longer expires soon",
  "changed present": "is unchanged in the DNS again",
  "havent_heard ok": "has checked in again",
};

/**
 * @param baseUrl of the page, without a trailing slash
 * @param now time of the attempt, for a reminder. Default: that of the result
 */
export function describeTransition(
  transition: Transition,
  baseUrl: string,
  { now = transition.result.createdAt }: { now?: number } = {},
): AlertMessage {
  const { monitor, status, result, outage, reminder } = transition;
  return {
    title: titleOf(transition),
    reason: reasonOf(transition),
    facts: factsOf(transition, now),
    link: `${baseUrl}/monitors/${monitor.id}`,
    ...(outage && { outageLink: outageLink(outage, baseUrl) }),
    group: groupOf(status),
    at: reminder ? now : result.createdAt,
  };
}

/** Where people acknowledge an outage; a GET of it changes nothing (behavior 14.60). */
export function outageLink({ id }: { id: string }, baseUrl: string): string {
  return `${baseUrl}/outages/${id}`;
}

/** A reminder must not look like a new outage (behavior 14.62). */
function titleOf(transition: Transition): string {
  const { monitor, status, reminder } = transition;
  const name = oneLine(monitor.name);
  return reminder ? `Still ${statusLabel(status).toLowerCase()}: ${name}` : `${name} ${verdict(transition)}`;
}

function verdict({ previousStatus, status }: Transition): string {
  if (groupOf(status) !== "healthy") return verdicts[status];
  return recoveries[`${previousStatus} ${status}`] ?? `${verdicts[status]} again`;
}
