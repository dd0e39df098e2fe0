import { type AlertMessage, type Fact, formatTime } from "../domain/alerts/alert-event.ts";
import { stateBegan, type Transition } from "../domain/alerts/delivery.ts";
import { type DegradedBy, isDegradedBy, type Reason } from "../domain/checks/observation.ts";
import { formatDuration, formatLatency } from "../domain/duration.ts";
import { describeRun } from "../domain/heartbeats/run-words.ts";
import { kinds } from "../domain/monitors/kinds/kinds.ts";
import { groupOf, type Status, type StatusGroup, statusLabel } from "../domain/monitors/status.ts";
import { BY_REGISTRATION, type RegistrationFacts } from "../domain/registration/registration.ts";
import { oneLine } from "../domain/truncate.ts";

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
  changed: { begins: "has changed its content", ends: "has its usual content again" },
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
  const group = groupOf[status];
  return {
    title: titleOf(transition, group),
    reason: reasonOf(transition),
    facts: factsOf(transition, { began: stateBegan(transition), group, now }),
    ...linksTo(transition, baseUrl),
    group,
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
export function outageLink({ id }: { id: string }, baseUrl: string): string {
  return `${baseUrl}/outages/${id}`;
}

/** A reminder must not look like a new outage (behavior 14.62). */
function titleOf(transition: Transition, group: StatusGroup): string {
  const { monitor, status, reminder } = transition;
  const name = oneLine(monitor.name);
  return reminder
    ? `Still ${statusLabel[status].toLowerCase()}: ${name}`
    : `${name} ${verdict(transition, group)}`;
}

function verdict({ previousStatus, status, wasDegradedBy, result }: Transition, group: StatusGroup): string {
  const reason = result.detail?.reason;
  if (status === "degraded" && isDegradedBy(reason)) return causes[reason].begins;
  if (reason === BY_REGISTRATION) return registrationVerdicts[status] ?? verdicts[status];
  if (group !== "healthy") return verdicts[status];
  if (status === "active" && result.detail?.registration) return NOTHING_EXPIRES;
  if (status === "present" && isWithoutRecords(result.detail)) return "has no record in the DNS, as expected";
  if (wasDegradedBy) return causes[wasDegradedBy].ends;
  return improvements[`${previousStatus} ${status}`] ?? `${verdicts[status]} again`;
}

/** Times and the group that the facts of a transition need. @property began when its status began @property now the time of a reminder */
interface Moment {
  began: number;
  group: StatusGroup;
  now: number;
}

/** Facts of a transition, besides the reason (behavior 5.26, 14.60 to 14.62). */
function factsOf(transition: Transition, { began, group, now }: Moment): Fact[] {
  const { monitor, previousStatus, status, reminder } = transition;
  const [from, to] = [statusLabel[previousStatus], statusLabel[status]];
  return [
    { label: "Status", value: reminder ? to : `${from} → ${to}` },
    { label: "Since", value: formatTime(began) },
    ...(transition.why ? [{ label: "Why", value: oneLine(transition.why.summary) }] : []),
    ...sharedCause(transition),
    ...seenFrom(transition),
    ...(reminder
      ? reminderFacts(transition, { began, now })
      : group === "healthy"
        ? recoveryFacts(transition, began)
        : troubleFacts(transition, { began, from })),
    ...acknowledgement(transition),
    ...muted(transition),
    { label: "Type", value: kinds[monitor.type].name },
  ];
}

/** Behavior 22.25. A title may have names from users. */
function sharedCause({ cause }: Transition): Fact[] {
  return cause ? [{ label: "Together", value: oneLine(cause.title), isFromUser: true }] : [];
}

function recoveryFacts(transition: Transition, began: number): Fact[] {
  const { since, result } = transition;
  const start = troubleBegan(transition) ?? since;
  return [
    ...(start === undefined ? [] : [{ label: "Lasted", value: formatDuration(began - start) }]),
    ...latencyFact("Latency", result.latencyMs),
  ];
}

/** @param from the label of the previous status */
function troubleFacts(transition: Transition, { began, from }: { began: number; from: string }): Fact[] {
  const { since, lastGoodLatencyMs, result } = transition;
  const before = since !== undefined && `${from} for ${formatDuration(began - since)}`;
  return [
    ...olderTrouble(transition, began),
    ...(before ? [{ label: "Before", value: before }] : []),
    ...latencyFact("Latency", result.latencyMs),
    ...latencyFact("Last good latency", lastGoodLatencyMs),
  ];
}

/** The trouble goes on, so it has a duration but no end. */
function reminderFacts(transition: Transition, { began, now }: { began: number; now: number }): Fact[] {
  const begin = troubleBegan(transition) ?? began;
  const lasted = { label: "Lasted so far", value: formatDuration(Math.max(0, now - begin)) };
  return [...olderTrouble(transition, began), lasted];
}

function olderTrouble(transition: Transition, began: number): Fact[] {
  const begin = troubleBegan(transition);
  if (begin === undefined || begin >= began) return [];
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

/** How many values of a DNS answer are listed; the others are counted. */
const MAX_VALUES = 10;

type Describe = (transition: Transition) => string;

/** By the new status. */
const sentences: Record<Status, Describe> = {
  up: recovered,
  down: (transition) => `${failure(transition)}.`,
  degraded: slow,
  active: (transition) =>
    `The certificate has not expired${expiry(transition)}.${registrationEnd(transition)}`,
  expiring_soon: (transition) =>
    byRegistration(transition) ??
    `The certificate expires soon${expiry(transition)}.${registrationEnd(transition)}`,
  expired: (transition) =>
    byRegistration(transition) ?? `${invalidity(transition)}.${registrationEnd(transition)}`,
  no_cert: (transition) => `Could not get a certificate: ${uncapitalized(failure(transition))}.`,
  present: ({ result }) =>
    isWithoutRecords(result.detail)
      ? "The DNS has no record of this name."
      : "The DNS has records of this name, and none of them is new.",
  missing: (transition) => `${messageOf(transition) ?? "The DNS has no records of this name"}.`,
  changed,
  ok: ({ result }) => `${describeRun(true, result.detail) ?? "The job reported success"}.`,
  failed: (transition) =>
    `${messageOf(transition) ?? describeRun(false, transition.result.detail) ?? "The job reported a failure"}.`,
  havent_heard: (transition) => `${messageOf(transition) ?? "No check-in arrived before the deadline"}.`,
  unknown: () => "There is no result yet.",
};

/** Used if the check left no message, and for the reasons of `CODED`. */
const failures: Record<Reason, string> = {
  refused: "The connection was refused",
  timeout: "There was no response in time",
  reset: "The connection was reset",
  closed: "The connection was closed before a response",
  unreachable: "The host is not reachable",
  dns_not_found: "The name has no address in the DNS",
  dns_failed: "The DNS did not answer",
  dns_unreachable: "No DNS server can be reached",
  tls_invalid: "The certificate is not valid",
  tls_failed: "The TLS handshake failed",
  not_http: "The response is not HTTP",
  private_target: "The address is private, and this server does not connect to private addresses",
  unexpected: "The response is not as expected",
  too_many_redirects: "There are too many redirects",
  bad_redirect: "A redirect leads to no valid URL",
  bad_body: "The body of the response could not be read",
};

/** Their message is the error code of a socket, such as `connect ECONNREFUSED`. */
const CODED: ReadonlySet<string> = new Set(["refused", "reset", "unreachable"] satisfies Reason[]);

/** Why a monitor has its new status, in a sentence. */
export function reasonOf(transition: Transition): string {
  return sentences[transition.status](transition);
}

function failure(transition: Transition): string {
  const reason = field(transition, "reason");
  const known = isReason(reason) ? failures[reason] : undefined;
  if (known === undefined || !CODED.has(String(reason))) {
    return messageOf(transition) ?? known ?? "There was no response";
  }
  const address = field(transition, "address");
  if (typeof address !== "string") return known;
  return `${known} ${reason === "unreachable" ? "at" : "by"} ${oneLine(address)}`;
}

function isReason(reason: unknown): reason is Reason {
  return typeof reason === "string" && Object.hasOwn(failures, reason);
}

/** The message of the check, as the beginning of a sentence. */
function messageOf(transition: Transition): string | undefined {
  const message = field(transition, "message");
  if (typeof message !== "string" || oneLine(message) === "") return undefined;
  const text = oneLine(message).replace(/\.+$/, "");
  // A message may begin with a host name, which is left as it is.
  return /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

function recovered({ previousStatus, wasDegradedBy }: Transition): string {
  if (wasDegradedBy === "expires_soon") return "Its certificate does not expire soon.";
  if (wasDegradedBy === "packet_loss") return "No more pings are lost than expected.";
  if (wasDegradedBy === "changed") return "Its content is usual again.";
  if (wasDegradedBy === "some_addresses") return "It responds at each of its addresses.";
  return previousStatus === "degraded" ? "It responds as fast as usual." : "It responds again.";
}

function slow(transition: Transition): string {
  const { result, lastGoodLatencyMs } = transition;
  const expected = messageOf(transition);
  if (expected !== undefined) return `${expected}.`;
  const took = result.latencyMs === null ? "" : ` in ${formatLatency(result.latencyMs)}`;
  const before =
    lastGoodLatencyMs === undefined ? "" : ` The last good latency was ${formatLatency(lastGoodLatencyMs)}.`;
  return `It responds${took}, much slower than usual.${before}`;
}

function expiry(transition: Transition): string {
  const at = timeIn(transition, "validTo");
  if (at === undefined) return "";
  const left = at - transition.result.createdAt;
  return left > 0
    ? `: it expires on ${formatDay(at)}, in ${formatDuration(left)}`
    : `: it expired on ${formatDay(at)}`;
}

/** The reason of a status that follows from the registration of the domain (behavior 20.80). */
function byRegistration(transition: Transition): string | undefined {
  if (field(transition, "reason") !== BY_REGISTRATION) return undefined;
  return `${messageOf(transition)}. The certificate has not expired${expiry(transition)}.`;
}

/** When the registration ends beside a certificate; empty if it is not looked up, or not known. */
function registrationEnd(transition: Transition): string {
  const { domain, expiresAt } = (field(transition, "registration") ?? {}) as Partial<RegistrationFacts> & {
    domain?: string;
  };
  const at = Date.parse(String(expiresAt));
  if (domain === undefined || Number.isNaN(at)) return "";
  const left = at - transition.result.createdAt;
  const when =
    left > 0 ? `expires on ${formatDay(at)}, in ${formatDuration(left)}` : `expired on ${formatDay(at)}`;
  return ` The registration of ${oneLine(domain)} ${when}.`;
}

function invalidity(transition: Transition): string {
  const from = timeIn(transition, "validFrom");
  if (from !== undefined && from > transition.result.createdAt) {
    return `The certificate is not valid before ${formatDay(from)}`;
  }
  const to = timeIn(transition, "validTo");
  if (to === undefined) return "The certificate has expired";
  return `The certificate expired on ${formatDay(to)}, ${formatDuration(transition.result.createdAt - to)} ago`;
}

/** Whether the name is to have no record (behavior 4.24). */
function isWithoutRecords(detail: Transition["result"]["detail"]): boolean {
  return Array.isArray(detail?.values) && detail.values.length === 0;
}

function changed(transition: Transition): string {
  const parts = [
    ["New", values(transition, "added")],
    ["Gone", values(transition, "gone")],
  ].filter(([, list]) => list !== "");
  return ["The DNS answers with other records.", ...parts.map(([label, list]) => `${label}: ${list}.`)].join(
    " ",
  );
}

function values(transition: Transition, name: string): string {
  const list = field(transition, name);
  if (!Array.isArray(list)) return "";
  const listed = list.slice(0, MAX_VALUES).map((value) => oneLine(String(value)));
  const omitted = (field(transition, "omitted") as Record<string, number> | undefined)?.[name] ?? 0;
  const more = list.length - listed.length + omitted;
  return [...listed, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function field({ result }: Transition, name: string): unknown {
  return result.detail?.[name];
}

function timeIn(transition: Transition, name: string): number | undefined {
  const at = Date.parse(String(field(transition, name)));
  return Number.isNaN(at) ? undefined : at;
}

function formatDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Only words of stillup lose their capital: a host name keeps its case. */
function uncapitalized(text: string): string {
  return text.replace(/^(The|There|It|No)\b/, (word) => word.toLowerCase());
}
