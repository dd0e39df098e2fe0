import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { sendLinkMail } from "./link-mail.ts";

/** Sends a link that sets a new password (behavior 19.17). @param now milliseconds since 1970 */
export function sendPasswordMail(
  { to, url }: { to: string; url: string },
  settings: DeliverySettings,
  now: number,
): Promise<DeliveryAttempt> {
  const mail = {
    to,
    title: "A new password for stillup",
    before: [
      "Somebody asked for a new password for this address. The link works once, within an hour. When it is used, the sessions end, and the passkeys and linked identities are removed.",
    ],
    action: "Set a new password",
    url,
    after: "If it was not you, ignore this message. Nothing has changed.",
  };
  return sendLinkMail(mail, settings, now);
}
