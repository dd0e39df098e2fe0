import {
  type AlertMessage,
  acknowledgeable,
  isTransition,
  mainLink,
  type Notification,
  subjectOfNotice,
} from "../../domain/alerts/alert-event.ts";
import { linesOf, SIGNS } from "../../domain/alerts/services/request.ts";
import type { PushPayload } from "../../domain/alerts/webhook-format.ts";
import type { StatusGroup } from "../../domain/monitors/status.ts";
import type { Sender } from "../deliver.ts";
import { MAX_PLAINTEXT } from "./encryption.ts";

/** UTF-16 units of a title, so that there is room for the reason. */
const MAX_TITLE = 250;

/** The JSON of a message, in one record (behavior 21.54). Only the title and the text are cut, never the link. */
export function pushPayload(
  message: AlertMessage,
  { tag, trouble }: Pick<PushPayload, "tag" | "trouble"> = {},
): string {
  const { language, button } = message.words;
  const payload: PushPayload = {
    title: cut(`${SIGNS[message.group]} ${message.title}`, { units: MAX_TITLE, bytes: MAX_PLAINTEXT / 3 }),
    body: "",
    link: mainLink(message).url,
    ...(tag !== undefined && { tag }),
    ...(trouble && { trouble }),
    // The service worker has them in English.
    ...(trouble && language !== "en" && { buttons: button }),
    at: message.at,
  };
  const bytes = MAX_PLAINTEXT - Buffer.byteLength(JSON.stringify(payload));
  const body = cut(linesOf(message, bytes), { units: bytes, bytes });
  return JSON.stringify({ ...payload, body });
}

/** Cuts a text to some UTF-16 units, and to some bytes as a part of a string in JSON. */
function cut(text: string, limit: { units: number; bytes: number }): string {
  const isShort = text.length <= limit.units && bytesOf(text) <= limit.bytes;
  if (isShort) return text;
  let [units, bytes] = [1, bytesOf("…")];
  let end = 0;
  for (const character of text) {
    units += character.length;
    bytes += bytesOf(character);
    if (units > limit.units || bytes > limit.bytes) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** Seconds for which a push service keeps a message for a device that is off (RFC 8030, 5.2). */
const TTL = 86_400;

/** RFC 8030, 5.3. */
const URGENCIES: Record<StatusGroup, string> = { down: "high", warning: "normal", healthy: "normal" };

/** A message to a browser (RFC 8030, 8291, 8292; behavior 21.52 to 21.56). */
export const webpush: Sender<"webpush"> = {
  request({ url }, { message, ...notification }) {
    const topic = topicOf(notification);
    const headers = {
      "content-type": "application/octet-stream",
      ttl: String(TTL),
      urgency: URGENCIES[message.group],
      ...(topic !== undefined && { topic }),
    };
    return {
      method: "POST",
      url,
      headers,
      body: pushPayload(message, { tag: topic, trouble: acknowledgeable(notification) }),
    };
  },
  async seal({ headers, body = "", ...request }, { options }, { authorizePush }) {
    if (!authorizePush) throw new Error("no key pair for push services");
    const { encryptPush } = await import("./encryption.ts");
    const sealed = {
      authorization: await authorizePush(request.url),
      "content-encoding": "aes128gcm",
    };
    const keys = { p256dh: fromBase64Url(options.p256dh), auth: fromBase64Url(options.auth) };
    const encrypted = await encryptPush(new TextEncoder().encode(body), keys);
    return { ...request, headers: { ...headers, ...sealed }, body: encrypted };
  },
  // The service of Windows says with 406 that there were too many messages.
  failures: { gone: [404, 410], statuses: { 406: "temporary" } },
};

/**
 * A later message with the same topic replaces one that the device has not got yet: at most 32 characters of base64url (RFC 8030,
 * 5.4). A message about many events has none, so that it replaces nothing.
 */
function topicOf({ event, others = [] }: Notification): string | undefined {
  if (others.length > 0) return undefined;
  return isTransition(event) ? (event.outage?.id ?? event.monitor.id) : subjectOfNotice(event).id;
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(text, { alphabet: "base64url" });
}
