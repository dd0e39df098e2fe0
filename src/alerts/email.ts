import type { ChannelConfig } from "../domain/alerts/channel.ts";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import type { DeliverySettings, SmtpConfig } from "./delivery-settings.ts";
import { incidentOf, mailOf } from "./mail.ts";
import { describeTransition } from "./message.ts";
import type { Notification } from "./notification.ts";
import { sendMail } from "./smtp.ts";

/** Sends an e-mail as text and HTML, in one thread for each trouble. */
export async function deliverEmail(
  { to }: ChannelConfig<"EMAIL">,
  { id, transition, now }: Notification,
  { smtp, baseUrl, resolveOwn, ...reach }: DeliverySettings,
): Promise<DeliveryAttempt> {
  if (!smtp) {
    return { outcome: "failed", error: "this server can't send e-mail: --smtp-url is not set", final: true };
  }
  const at = domainOf(smtp);
  const incident = `<incident.${incidentOf(transition)}@${at}>`;
  const mail = {
    ...mailOf(describeTransition(transition, baseUrl())),
    from: { name: "stillup", address: smtp.from },
    to: { name: "", address: to },
    // The same on every attempt, so that a mail program can tell a repetition.
    messageId: `<delivery.${id}@${at}>`,
    inReplyTo: incident,
    references: [incident],
    date: new Date(now),
    headers: { "Auto-Submitted": "auto-generated" },
  };
  return sendMail(mail, smtp, { ...reach, ...(resolveOwn && { resolve: resolveOwn }) });
}

function domainOf({ from }: SmtpConfig): string {
  return from.slice(from.indexOf("@") + 1);
}
