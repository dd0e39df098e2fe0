import {
  type AlertEvent,
  type AlertMessage,
  type BlindnessNotice,
  type Fact,
  formatTime,
  forNotice,
  isTransition,
  type LocationNotice,
  type MaintenanceNotice,
  type Notice,
} from "../domain/alerts/alert-event.ts";
import { stateBegan, type Transition } from "../domain/alerts/delivery.ts";
import { jsonRequest } from "../domain/alerts/services/request.ts";
import { signingKey } from "../domain/alerts/webhook-rules.ts";
import { type DegradedBy, isDegradedBy } from "../domain/checks/observation.ts";
import { formatDuration, formatLatency } from "../domain/duration.ts";
import { iso } from "../domain/iso-time.ts";
import { kinds } from "../domain/monitors/kinds/kinds.ts";
import { groupOf, type Status, statusLabel } from "../domain/monitors/status.ts";
import { BY_REGISTRATION } from "../domain/registration/registration.ts";
import { oneLine } from "../domain/truncate.ts";
import { reasonOf } from "./reason.ts";
import type { Sender } from "./webhook.ts";

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

/** For a status that follows from the registration of the domain (behavior 20.80). */
const registrationVerdicts: Partial<Record<Status, string>> = {
  expiring_soon: "has a domain whose registration expires soon",
  expired: "has a domain whose registration is no longer valid",
};

/** For a monitor whose domain is looked up too: either of both may have been the trouble. */
const NOTHING_EXPIRES = "has a certificate and a domain that do not expire soon";

const NOT_EXPIRING = "has a certificate that no longer expires soon";

/** For a monitor that is not slow although it is Degraded. */
const causes: Record<DegradedBy, { begins: string; ends: string }> = {
  expires_soon: { begins: verdicts.expiring_soon, ends: NOT_EXPIRING },
  some_addresses: { begins: "fails at some addresses", ends: "answers at all addresses again" },
  packet_loss: { begins: "loses too many pings", ends: "loses no more pings than expected" },
};

/** Changes for the better for which the verdict and "again" would be wrong, by the previous and the new status. */
const improvements: Partial<Record<`${Status} ${Status}`, string>> = {
  "degraded up": "is fast again",
  "expiring_soon active": NOT_EXPIRING,
  "changed present": "is unchanged in the DNS again",
  "havent_heard ok": "has checked in again",
};

/**
 * @param baseUrl of the page, without a trailing slash
 * @param now time of the attempt, for a reminder. Default: time of the result
 */
export function describeTransition(
  transition: Transition,
  baseUrl: string,
  { now = transition.result.createdAt }: { now?: number } = {},
): AlertMessage {
  const { status, result, reminder } = transition;
  return {
    title: titleOf(transition),
    reason: reasonOf(transition),
    facts: factsOf(transition, now),
    ...linksTo(transition, baseUrl),
    group: groupOf(status),
    at: reminder ? now : result.createdAt,
  };
}

function linksTo(
  { monitor, outage, testOf }: Transition,
  baseUrl: string,
): Pick<AlertMessage, "link" | "outageLink"> {
  if (testOf !== undefined) return { link: `${baseUrl}/channels/${testOf}` };
  const link = `${baseUrl}/monitors/${monitor.id}`;
  return outage ? { link, outageLink: outageLink(outage, baseUrl) } : { link };
}

/** Where people acknowledge an outage; a GET of it changes nothing (behavior 14.60). */
function outageLink({ id }: { id: string }, baseUrl: string): string {
  return `${baseUrl}/outages/${id}`;
}

/** A reminder must not look like a new outage (behavior 14.62). */
function titleOf(transition: Transition): string {
  const { monitor, status, reminder } = transition;
  const name = oneLine(monitor.name);
  return reminder ? `Still ${statusLabel(status).toLowerCase()}: ${name}` : `${name} ${verdict(transition)}`;
}

function verdict({ previousStatus, status, wasDegradedBy, result }: Transition): string {
  const reason = result.detail?.reason;
  if (status === "degraded" && isDegradedBy(reason)) return causes[reason].begins;
  if (reason === BY_REGISTRATION) return registrationVerdicts[status] ?? verdicts[status];
  if (groupOf(status) !== "healthy") return verdicts[status];
  if (status === "active" && result.detail?.registration) return NOTHING_EXPIRES;
  if (wasDegradedBy) return causes[wasDegradedBy].ends;
  return improvements[`${previousStatus} ${status}`] ?? `${verdicts[status]} again`;
}

/** Facts of a transition, besides the reason (behavior 5.26, 14.60 to 14.62). @param now of a reminder */
function factsOf(transition: Transition, now: number): Fact[] {
  const { monitor, previousStatus, status, reminder } = transition;
  const [from, to] = [statusLabel(previousStatus), statusLabel(status)];
  return [
    { label: "Status", value: reminder ? to : `${from} → ${to}` },
    { label: "Since", value: formatTime(stateBegan(transition)) },
    ...seenFrom(transition),
    ...(reminder ? reminderFacts(transition, now) : changeFacts(transition)),
    ...acknowledgement(transition),
    ...muted(transition),
    { label: "Type", value: kinds[monitor.type].name },
  ];
}

function changeFacts(transition: Transition): Fact[] {
  return groupOf(transition.status) === "healthy" ? recoveryFacts(transition) : troubleFacts(transition);
}

function recoveryFacts(transition: Transition): Fact[] {
  const { since, result } = transition;
  const start = troubleBegan(transition) ?? since;
  return [
    ...(start === undefined
      ? []
      : [{ label: "Lasted", value: formatDuration(stateBegan(transition) - start) }]),
    ...latencyFact("Latency", result.latencyMs),
  ];
}

function troubleFacts(transition: Transition): Fact[] {
  const { previousStatus, since, lastGoodLatencyMs, result } = transition;
  const begin = stateBegan(transition);
  const before = since !== undefined && `${statusLabel(previousStatus)} for ${formatDuration(begin - since)}`;
  return [
    ...olderTrouble(transition),
    ...(before ? [{ label: "Before", value: before }] : []),
    ...latencyFact("Latency", result.latencyMs),
    ...latencyFact("Last good latency", lastGoodLatencyMs),
  ];
}

/** The trouble goes on, so it has a duration but no end. */
function reminderFacts(transition: Transition, now: number): Fact[] {
  const begin = troubleBegan(transition) ?? stateBegan(transition);
  const lasted = { label: "Lasted so far", value: formatDuration(Math.max(0, now - begin)) };
  return [...olderTrouble(transition), lasted];
}

function olderTrouble(transition: Transition): Fact[] {
  const begin = troubleBegan(transition);
  if (begin === undefined || begin >= stateBegan(transition)) return [];
  return [{ label: "In trouble since", value: formatTime(begin) }];
}

function troubleBegan({ troubleSince, outage }: Transition): number | undefined {
  return troubleSince ?? outage?.startedAt;
}

function seenFrom({ locations }: Transition): Fact[] {
  if (!locations || locations.seeing.length === 0) return [];
  const { seeing, of } = locations;
  const value = `${seeing.map(oneLine).join(", ")} (${seeing.length} of ${of})`;
  return [{ label: "Seen from", value, isFromUser: true }];
}

function acknowledgement({ acknowledged }: Transition): Fact[] {
  if (!acknowledged) return [];
  const { at, by } = acknowledged;
  const note = oneLine(acknowledged.note ?? "");
  return [
    { label: "Acknowledged", value: `${formatTime(at)} by ${oneLine(by)}`, isFromUser: true },
    ...(note === "" ? [] : [{ label: "Note", value: note, isFromUser: true } as const]),
  ];
}

function muted({ mutes = 0 }: Transition): Fact[] {
  if (mutes === 0) return [];
  return [{ label: "Muted", value: mutes === 1 ? "1 monitor behind it" : `${mutes} monitors behind it` }];
}

function latencyFact(label: string, latencyMs: number | null | undefined): Fact[] {
  return latencyMs == null ? [] : [{ label, value: formatLatency(latencyMs) }];
}

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
