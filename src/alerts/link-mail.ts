import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { html } from "../html.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { NO_MAIL_SERVER } from "./mail.ts";
import { sendMail } from "./smtp.ts";

/** A mail from stillup itself, about one link. @property before the sentence above the link @property after the one below it */
interface LinkMail {
  to: string;
  subject: string;
  before: string;
  url: string;
  after?: string;
}

/** @param now milliseconds since 1970 */
export async function sendLinkMail(
  { to, subject, before, url, after }: LinkMail,
  { smtp, resolveOwn, baseUrl: _, ...transport }: DeliverySettings,
  now: number,
): Promise<DeliveryAttempt> {
  if (!smtp) return { outcome: "failed", error: NO_MAIL_SERVER, final: true };
  const mail = {
    subject,
    text: `${[before, url, ...(after ? [after] : [])].join("\n\n")}\n`,
    html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body><p>${before}</p><p><a href="${url}">${url}</a></p>${after ? html`<p>${after}</p>` : ""}</body></html>
`.markup,
    from: { name: "stillup", address: smtp.from },
    to: { name: "", address: to },
    date: new Date(now),
    headers: { "Auto-Submitted": "auto-generated" },
  };
  return sendMail(mail, smtp, { ...transport, ...(resolveOwn && { resolve: resolveOwn }) });
}
