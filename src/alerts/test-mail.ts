import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { html } from "../html.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { NO_MAIL_SERVER } from "./mail.ts";
import { sendMail } from "./smtp.ts";

/**
 * Sends an e-mail that only shows that this server can send e-mail (behavior 16.333).
 *
 * @param now milliseconds since 1970
 */
export async function sendTestMail(
  to: string,
  { smtp, baseUrl, resolveOwn, ...transport }: DeliverySettings,
  now: number,
): Promise<DeliveryAttempt> {
  if (!smtp) return { outcome: "failed", error: NO_MAIL_SERVER, final: true };
  const url = baseUrl();
  const mail = {
    subject: "Test e-mail of stillup",
    text: `This server can send e-mail.\n\n${url}\n`,
    html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Test e-mail of stillup</title></head>
<body><p>This server can send e-mail.</p><p><a href="${url}">${url}</a></p></body></html>
`.markup,
    from: { name: "stillup", address: smtp.from },
    to: { name: "", address: to },
    date: new Date(now),
    headers: { "Auto-Submitted": "auto-generated" },
  };
  return sendMail(mail, smtp, { ...transport, ...(resolveOwn && { resolve: resolveOwn }) });
}
