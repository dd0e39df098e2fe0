import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { html } from "../html.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { NO_MAIL_SERVER } from "./mail.ts";
import { sendMail } from "./smtp.ts";

/** An invitation of a person. */
export interface InviteMail {
  to: string;
  organization: string;
  inviteUrl: string;
}

/** Sends an invitation (behavior 19.3). @param now milliseconds since 1970 */
export async function sendInviteMail(
  { to, organization, inviteUrl }: InviteMail,
  { smtp, resolveOwn, baseUrl: _, ...transport }: DeliverySettings,
  now: number,
): Promise<DeliveryAttempt> {
  if (!smtp) return { outcome: "failed", error: NO_MAIL_SERVER, final: true };
  const subject = `Invitation to ${organization} on stillup`;
  const sentence = `You are invited to ${organization}. The link works once, within seven days:`;
  const mail = {
    subject,
    text: `${sentence}\n\n${inviteUrl}\n`,
    html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body><p>${sentence}</p><p><a href="${inviteUrl}">${inviteUrl}</a></p></body></html>
`.markup,
    from: { name: "stillup", address: smtp.from },
    to: { name: "", address: to },
    date: new Date(now),
    headers: { "Auto-Submitted": "auto-generated" },
  };
  return sendMail(mail, smtp, { ...transport, ...(resolveOwn && { resolve: resolveOwn }) });
}
