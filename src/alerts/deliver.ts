import {
  type AlertEvent,
  type AlertMessage,
  type BlindnessNotice,
  forNotice,
  isTransition,
  type LocationNotice,
  type MaintenanceNotice,
  mainLink,
  type Notice,
  type Notification,
  subjectOfNotice,
} from "../domain/alerts/alert-event.ts";
import type { ChannelConfig, ChannelType } from "../domain/alerts/channel.ts";
import { type DeliveryAttempt, stateBegan, type Transition } from "../domain/alerts/delivery.ts";
import {
  boundedValues,
  escapeInAddress,
  fillBody,
  fillTemplate,
  type PlaceholderValues,
} from "../domain/alerts/message-template.ts";
import { deliveries, type OwnFormat } from "../domain/alerts/services/registry.ts";
import { jsonRequest } from "../domain/alerts/services/request.ts";
import type { FailureAnswer, Failures, OutgoingRequest, Sending } from "../domain/alerts/services/service.ts";
import {
  declarationOf,
  formatOf,
  type WebhookConfig,
  type WebhookFormat,
} from "../domain/alerts/webhook-format.ts";
import { signingKey } from "../domain/alerts/webhook-rules.ts";
import { iso } from "../domain/iso-time.ts";
import { discordMessage, discordRefusal } from "./discord.ts";
import { type Localization, localizationOf } from "./languages/localization.ts";
import { deliverEmail } from "./mail.ts";
import { describeEvent, describeNotification } from "./message.ts";
import {
  type DeliverySettings,
  exchange,
  type Failed,
  parseObject,
  post,
  type Refine,
  type SealedRequest,
  TIMEOUT,
  timedOut,
} from "./post.ts";
import { slackMessage, slackRefusal } from "./slack.ts";
import { teamsMessage, teamsRefusal } from "./teams.ts";
import { outageLink } from "./transition-message.ts";
import { webpush } from "./webpush/push-message.ts";

/**
 * UTF-16 units of all values together, before they are escaped (behavior 16.158). With as many placeholders as a template can have,
 * there is still room for IDs and times.
 */
const LIMITS = { url: 8 * 1024, body: 64 * 1024 };

/** A request of the user's own form (behavior 16.155, 16.156). */
const custom: Sender<"custom"> = {
  request({ url, options, headers }, sending) {
    const { method = "POST", body } = options;
    const contentType = options.contentType ?? contentTypeOf(headers) ?? "application/json";
    const values = valuesOf(sending);
    const target = fillTemplate(url, boundedValues(values, url, LIMITS.url), escapeInAddress);
    if (body === undefined) return { method, url: target, headers: {} };
    return {
      method,
      url: target,
      headers: { "content-type": contentType },
      body: fillBody(body, boundedValues(values, body, LIMITS.body), contentType),
    };
  },
};

/** A header of the channel replaces the media type, which decides how values are escaped. */
function contentTypeOf(headers: Record<string, string> = {}): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
}

function valuesOf({ id, event, message }: Sending): PlaceholderValues {
  return {
    ...subjectOf(event),
    link: mainLink(message).url,
    id,
    text: `${message.title}: ${message.reason}`,
  };
}

type Subject = Omit<PlaceholderValues, "link" | "id" | "text">;

const EMPTY = { "monitor.type": "", previousStatus: "", reason: "", why: "" };

function subjectOf(event: AlertEvent): Subject {
  if (!isTransition(event)) {
    // The type is such as location.silent.
    const status = event.type.split(".")[1] ?? "";
    return { ...EMPTY, "monitor.name": subjectOfNotice(event).name, status, since: iso(event.at) };
  }
  const { monitor, status, previousStatus, result } = event;
  const reason = result.detail?.reason;
  return {
    "monitor.name": monitor.name,
    "monitor.type": monitor.type,
    status,
    previousStatus,
    reason: typeof reason === "string" ? reason : "",
    why: event.why?.summary ?? "",
    since: iso(stateBegan(event)),
  };
}

/** How notifications are sent in a format: see `Delivery`. */
export interface Sender<F extends WebhookFormat> {
  request(config: WebhookConfig<F>, sending: Sending): OutgoingRequest;
  /** Encrypts and signs a request, if the receiver wants that. */
  seal?(
    request: OutgoingRequest,
    config: WebhookConfig<F>,
    settings: DeliverySettings,
  ): Promise<SealedRequest>;
  failures?: Failures;
  moved?(config: WebhookConfig<F>, answer: FailureAnswer): object | undefined;
}

/** An event as a Standard Webhook, signed if the channel has a secret (behavior 5.30 to 5.34, 13.62, 14.61). */
const standard: Sender<"standard"> = {
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
  const { organization, monitor, previousStatus, status, outage, reminder, why, cause, result } = transition;
  const createdAt = iso(result.createdAt);
  const data = {
    ...{ organization, monitor, previousStatus, status, since: iso(stateBegan(transition)) },
    ...(outage && { outage: { id: outage.id, link: outageLink(outage, baseUrl) } }),
    ...(reminder && { reminder }),
    why: why ?? null,
    cause: cause ? { ...cause, words: undefined } : null,
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

const own: { [F in OwnFormat]: Sender<F> } = { standard, webpush, custom };

function senderOf(format: WebhookFormat): Sender<WebhookFormat> {
  return { ...deliveries, ...own }[format] as Sender<WebhookFormat>;
}

/** The request for a notification, in the format of the channel. @param baseUrl of the page, without a trailing slash */
export function requestOf(
  config: WebhookConfig,
  notification: Notification,
  baseUrl: string,
  local?: Localization,
): OutgoingRequest {
  return composed(formatOf(config), config, { notification, baseUrl, local });
}

/** @property local of the channel. Default: by the language of the notification */
interface Composing {
  notification: Notification;
  baseUrl: string;
  local?: Localization | undefined;
}

function composed(
  format: WebhookFormat,
  config: WebhookConfig,
  { notification, baseUrl, local = localizationOf(notification.language ?? "en") }: Composing,
): OutgoingRequest {
  const { readBy, hasSummary } = declarationOf[format];
  const describe = readBy === "people" ? describeNotification : describeFirst;
  const english = localizationOf("en");
  const reader = readBy === "people" || hasSummary ? local : english;
  const request = senderOf(format).request(config, {
    ...notification,
    message: describe(notification, baseUrl, reader),
    english: () => describe(notification, baseUrl, english),
    baseUrl,
  });
  return withHeaders(request, config.headers);
}

/** Programs get each event. */
function describeFirst({ event, now }: Notification, baseUrl: string, local: Localization): AlertMessage {
  return describeEvent(event, baseUrl, { now, local });
}

/**
 * Sends a notification in the format of the channel (behavior 16.145, 16.146): one request, and another one if the receiver has
 * moved. Both together have the time of one attempt.
 */
export async function deliverWebhook(
  config: WebhookConfig,
  notification: Notification,
  settings: DeliverySettings,
): Promise<DeliveryAttempt> {
  return send(config, { notification, settings });
}

interface Attempt {
  notification: Notification;
  settings: DeliverySettings;
}

async function send(
  config: WebhookConfig,
  { notification, settings }: Attempt,
  mayMove = true,
): Promise<DeliveryAttempt> {
  const { clock, timeout = TIMEOUT } = settings;
  const startedAt = clock.monotonic();
  const format = formatOf(config);
  const sender = senderOf(format);
  let moved: object | undefined;
  const request = composed(format, config, { notification, baseUrl: settings.baseUrl() });
  const sealed = sender.seal ? await sender.seal(request, config, settings) : request;
  const attempt = await exchange(sealed, settings, (failed, answer) => {
    const failure = { ...answer, body: parseObject(answer.text) };
    if (mayMove) moved = sender.moved?.(config, failure);
    return explained(failed, failure, sender.failures);
  });
  const left = timeout - (clock.monotonic() - startedAt);
  if (!moved || left <= 0) return attempt;
  return send(moved as WebhookConfig, { notification, settings: { ...settings, timeout: left } }, false);
}

/** Headers of the channel replace headers of the format, whose names are in lower case. */
function withHeaders(request: OutgoingRequest, own: Record<string, string> = {}): OutgoingRequest {
  const lower = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...request, headers: { ...request.headers, ...Object.fromEntries(lower) } };
}

/** The end of the error of an attempt (behavior 21.56). */
const GONE = ": the device has ended its subscription, and the channel is disabled";

/** A failure in the words of its service. */
function explained(
  attempt: Failed,
  answer: FailureAnswer,
  { statuses = {}, gone = [], explain }: Failures = {},
): Failed {
  const { word, meaning = statuses[answer.status], retryAfterMs } = explain?.(answer) ?? {};
  // The header is the answer of this moment; the delay of a format is a guess, or an older field of the service.
  const delay = attempt.retryAfterMs ?? retryAfterMs;
  if (gone.includes(answer.status))
    return { ...attempt, final: true, error: `${attempt.error}${GONE}`, isGone: true };
  return {
    ...attempt,
    ...(meaning && { final: meaning === "final" }),
    ...(word !== undefined && { error: `${attempt.error} ${word}`, answer: `${attempt.answer} ${word}` }),
    ...(delay !== undefined && { retryAfterMs: delay }),
  };
}

type ChatType = "SLACK" | "DISCORD" | "TEAMS";

type Deliver<T extends ChannelType> = (
  config: ChannelConfig<T>,
  notification: Notification,
  settings: DeliverySettings,
) => Promise<DeliveryAttempt>;

/** Posts the JSON of a message to the address of an incoming webhook. */
function chat(formOf: (message: AlertMessage) => object, refine: Refine): Deliver<ChatType> {
  return ({ webhookUrl }, notification, settings) => {
    const body = JSON.stringify(formOf(describeNotification(notification, settings.baseUrl())));
    return post(webhookUrl, { body, headers: {} }, settings, refine);
  };
}

const channels: { [T in ChannelType]: Deliver<T> } = {
  SLACK: chat(slackMessage, slackRefusal),
  DISCORD: chat(discordMessage, discordRefusal),
  TEAMS: chat(teamsMessage, teamsRefusal),
  EMAIL: deliverEmail,
  WEBHOOK: deliverWebhook,
};

/**
 * Milliseconds after the timeout in which an attempt may still end by itself: at the timeout it closes its
 * connection, and an answer whose status line arrived in time counts.
 */
const GRACE = 1000;

/**
 * Attempts one delivery. A failure is an outcome, not an exception. The attempt ends in time even if the code of the
 * channel waits for a promise that never settles.
 */
export async function deliver<T extends ChannelType>(
  { type, config }: { type: T; config: ChannelConfig<T> },
  notification: Notification,
  settings: DeliverySettings,
): Promise<DeliveryAttempt> {
  const { clock, timeout = TIMEOUT } = settings;
  const late = Promise.withResolvers<DeliveryAttempt>();
  const cancel = clock.after(timeout + GRACE, () => late.resolve(timedOut(timeout)));
  try {
    return await Promise.race([channels[type](config, notification, settings), late.promise]);
  } finally {
    cancel();
  }
}
