import {
  type AlertEvent,
  type BlindnessNotice,
  forNotice,
  isTransition,
  type LocationNotice,
  type MaintenanceNotice,
  type Notice,
} from "../domain/alerts/alert-event.ts";
import { stateBegan, type Transition } from "../domain/alerts/delivery.ts";
import { jsonRequest } from "../domain/alerts/services/request.ts";
import { signingKey } from "../domain/alerts/webhook-rules.ts";
import { iso } from "../domain/iso-time.ts";
import { outageLink } from "./transition-message.ts";
import type { Sender } from "./webhook.ts";

/** An event as a Standard Webhook, signed if the channel has a secret (behavior 5.30 to 5.34, 13.62, 14.61). */
export const standard: Sender<"standard"> = {
  request({ url, secret }, { id, event, now, baseUrl }) {
    const request = jsonRequest(url, payload(event, baseUrl));
    const timestamp = Math.floor(now / 1000);
    const signed = { id, timestamp, body: request.body ?? "" };
    const signature = secret !== undefined && { "webhook-signature": sign(secret, signed) };
    const own = { "webhook-id": id, "webhook-timestamp": String(timestamp), ...signature };
    return { ...request, headers: { ...request.headers, ...own } };
  },
};

function payload(event: AlertEvent, baseUrl: string) {
  return isTransition(event) ? payloadOfTransition(event, baseUrl) : payloadOfNotice(event);
}

/** Behavior 14.61. */
function payloadOfTransition(transition: Transition, baseUrl: string) {
  const { organization, monitor, previousStatus, status, outage, reminder, result } = transition;
  const createdAt = iso(result.createdAt);
  const data = {
    ...{ organization, monitor, previousStatus, status, since: iso(stateBegan(transition)) },
    ...(outage && { outage: { id: outage.id, link: outageLink(outage, baseUrl) } }),
    ...(reminder && { reminder }),
    result: { ...result, createdAt },
  };
  return { type: "monitor.status_changed", timestamp: createdAt, data };
}

/** Behavior 13.62. */
function payloadOfNotice(notice: Notice) {
  const { type, organization, at } = notice;
  const data = forNotice<object>(notice, {
    location: dataOfLocation,
    maintenance: dataOfMaintenance,
    checks: dataOfBlindness,
  });
  return { type, timestamp: iso(at), data: { organization, ...data } };
}

function dataOfLocation({ location: { id, name, lastSeenAt } }: LocationNotice) {
  return { location: { id, name, lastSeenAt: lastSeenAt === null ? null : iso(lastSeenAt) } };
}

/** Behavior 14.45. */
function dataOfMaintenance({ maintenance, monitors, monitorCount }: MaintenanceNotice) {
  const { startsAt, endsAt } = maintenance;
  return {
    maintenance: { ...maintenance, startsAt: iso(startsAt), endsAt: iso(endsAt) },
    monitors,
    monitorCount,
  };
}

/** Behavior 1.62. */
function dataOfBlindness({ since, monitors, monitorCount }: BlindnessNotice) {
  return { since: iso(since), monitors, monitorCount };
}

/** The signed parts of a Standard Webhook (behavior 5.34). @property timestamp seconds since 1970 */
interface Envelope {
  id: string;
  timestamp: number;
  body: string;
}

/** The value of `webhook-signature`. */
export function sign(secret: string, { id, timestamp, body }: Envelope): string {
  const signed = `${id}.${timestamp}.${body}`;
  return `v1,${new Bun.CryptoHasher("sha256", signingKey(secret)).update(signed).digest("base64")}`;
}
