import type { DeliverySettings } from "../../alerts/delivery-settings.ts";
import { sendMail } from "../../alerts/smtp.ts";
import type { DeliveryAttempt } from "../../domain/alerts/delivery.ts";
import { oneLine } from "../../domain/truncate.ts";
import { pageMail } from "../../status-page/mails/page-mail.ts";
import type { DueMail } from "../../store/store.ts";

/** @property isLast whether it is the last message of the day @property pageUrl without a trailing slash */
export type PageMailToSend = Pick<DueMail, "id" | "mail" | "createdAt" | "subscriber" | "page"> & {
  isLast: boolean;
  pageUrl: string;
};

/** Makes one attempt. Its `Message-ID` is the same on every attempt; one click unsubscribes (RFC 8058, behavior 15.82). */
export async function deliverPageMail(
  { id, mail, createdAt, subscriber, page, isLast, pageUrl }: PageMailToSend,
  { smtp, resolveOwn, ...transport }: DeliverySettings,
): Promise<DeliveryAttempt> {
  if (!smtp) {
    return { outcome: "failed", error: "this server can't send e-mail: --smtp-url is not set", final: true };
  }
  const { token, email } = subscriber;
  const { unsubscribeUrl, ...content } = pageMail(mail, { pageTitle: page.title, pageUrl, token, isLast });
  const message = {
    ...content,
    from: { name: oneLine(page.title), address: smtp.from },
    to: { name: "", address: email },
    messageId: `<page.${id}@${smtp.from.slice(smtp.from.indexOf("@") + 1)}>`,
    date: new Date(createdAt),
    headers: {
      "Auto-Submitted": "auto-generated",
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
  return sendMail(message, smtp, { ...transport, ...(resolveOwn && { resolve: resolveOwn }) });
}
