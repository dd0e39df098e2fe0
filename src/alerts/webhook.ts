import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { formatOf, type WebhookConfig, type WebhookFormat } from "../domain/alerts/webhook-format.ts";
import type { Notification } from "./alert-message.ts";
import { type DeliverySettings, TIMEOUT } from "./delivery-settings.ts";
import type { FailureAnswer, Failures, Format } from "./formats/format.ts";
import { formats } from "./formats/registry.ts";
import type { OutgoingRequest } from "./http-request.ts";
import { exchange, type Failed, parseObject } from "./post.ts";

/** Sends a notification in the format of the channel (behavior 16.145, 16.146). */
export function deliverWebhook(
  config: WebhookConfig,
  notification: Notification,
  settings: DeliverySettings,
): Promise<DeliveryAttempt> {
  const format = formats[formatOf(config)] as Format<WebhookFormat>;
  return send(format, config, { notification, settings });
}

interface Attempt {
  notification: Notification;
  settings: DeliverySettings;
}

/** One request, and another one if the receiver has moved. Both together have the time of one attempt. */
async function send(
  format: Format<WebhookFormat>,
  config: WebhookConfig,
  { notification, settings }: Attempt,
): Promise<DeliveryAttempt> {
  const { clock, timeout = TIMEOUT } = settings;
  const startedAt = clock.monotonic();
  let moved: WebhookConfig | undefined;
  const request = withHeaders(format.request(config, notification, settings.baseUrl()), config.headers);
  const sealed = format.seal ? await format.seal(request, config, settings) : request;
  const attempt = await exchange(sealed, settings, (failed, answer) => {
    const failure = { ...answer, body: parseObject(answer.text) };
    moved = format.moved?.(config, failure);
    return explained(failed, failure, format.failures);
  });
  const left = timeout - (clock.monotonic() - startedAt);
  if (!moved || left <= 0) return attempt;
  const { moved: _, ...once } = format;
  return send(once, moved, { notification, settings: { ...settings, timeout: left } });
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
