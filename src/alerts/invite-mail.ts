import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { sendLinkMail } from "./link-mail.ts";

/** An invitation of a person. */
export interface InviteMail {
  to: string;
  organization: string;
  inviteUrl: string;
}

/** Sends an invitation (behavior 19.3). @param now milliseconds since 1970 */
export function sendInviteMail(
  { to, organization, inviteUrl: url }: InviteMail,
  settings: DeliverySettings,
  now: number,
): Promise<DeliveryAttempt> {
  const subject = `Invitation to ${organization} on stillup`;
  const before = `You are invited to ${organization}. The link works once, within seven days:`;
  return sendLinkMail({ to, subject, before, url }, settings, now);
}
