import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { html } from "../html.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { NO_MAIL_SERVER } from "./mail.ts";
import { sendMail } from "./smtp.ts";

const SUBJECT = "A new password for stillup";
const REQUEST = "Somebody asked for a new password for this address. The link works once, within an hour:";
const OTHERWISE = "If it was not you, ignore this message. Nothing has changed.";

/** Sends a link that sets a new password (behavior 19.17). @param now milliseconds since 1970 */
export async function sendPasswordMail(
  { to, url }: { to: string; url: string },
  { smtp, resolveOwn, baseUrl: _, ...transport }: DeliverySettings,
  now: number,
): Promise<DeliveryAttempt> {
  if (!smtp) return { outcome: "failed", error: NO_MAIL_SERVER, final: true };
  const mail = {
    subject: SUBJECT,
    text: `${REQUEST}\n\n${url}\n\n${OTHERWISE}\n`,
    html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${SUBJECT}</title></head>
<body><p>${REQUEST}</p><p><a href="${url}">${url}</a></p><p>${OTHERWISE}</p></body></html>
`.markup,
    from: { name: "stillup", address: smtp.from },
    to: { name: "", address: to },
    date: new Date(now),
    headers: { "Auto-Submitted": "auto-generated" },
  };
  return sendMail(mail, smtp, { ...transport, ...(resolveOwn && { resolve: resolveOwn }) });
}
