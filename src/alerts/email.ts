import type { ChannelConfig } from "../domain/alerts/channel.ts";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import type { DeliverySettings, SmtpConfig } from "./delivery-settings.ts";
import { mailOf, threadOf } from "./mail.ts";
import { describeNotification } from "./message.ts";
import type { Notification } from "./notification.ts";
import { sendMail } from "./smtp.ts";

/** Sends an e-mail as text and HTML. The e-mails about one period of trouble are one thread (behavior 5.27, 13.61, 14.65). */
export async function deliverEmail(
  { to }: ChannelConfig<"EMAIL">,
  notification: Notification,
  { smtp, baseUrl, resolveOwn, ...transport }: DeliverySettings,
): Promise<DeliveryAttempt> {
  if (!smtp) {
    return { outcome: "failed", error: "this server can't send e-mail: --smtp-url is not set", final: true };
  }
  const domain = domainOf(smtp);
  const { now } = notification;
  const mail = {
    ...mailOf(describeNotification(notification, baseUrl())),
    ...threadHeaders(notification, domain),
    from: { name: "stillup", address: smtp.from },
    to: { name: "", address: to },
    messageId: messageIdOf(notification, domain),
    date: new Date(now),
    headers: { "Auto-Submitted": "auto-generated" },
  };
  return sendMail(mail, smtp, { ...transport, ...(resolveOwn && { resolve: resolveOwn }) });
}

/**
 * The same on every attempt, so that a mail program recognizes a repetition. But a mail that lacks what was cancelled since the
 * previous attempt is another one.
 */
function messageIdOf({ id, others = [] }: Notification, domain: string): string {
  return others.length > 0 ? `<delivery.${id}.${others.length}@${domain}>` : `<delivery.${id}@${domain}>`;
}

/** A message about several events belongs to no thread. */
function threadHeaders({ event, others = [] }: Notification, domain: string) {
  if (others.length > 0) return {};
  const thread = `<incident.${threadOf(event)}@${domain}>`;
  return { inReplyTo: thread, references: [thread] };
}

function domainOf({ from }: SmtpConfig): string {
  return from.slice(from.indexOf("@") + 1);
}
