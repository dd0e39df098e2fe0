import { isTransition, type Notification, subjectOfNotice } from "../../domain/alerts/alert-event.ts";
import type { StatusGroup } from "../../domain/monitors/status.ts";
import type { Sender } from "../deliver.ts";
import { pushPayload } from "./payload.ts";

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
    return { method: "POST", url, headers, body: pushPayload(message, topic) };
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
