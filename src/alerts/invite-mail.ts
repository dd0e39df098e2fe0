import { placeOf } from "../domain/accounts/organization.ts";
import type { Role } from "../domain/accounts/role.ts";
import { formatTime } from "../domain/alerts/alert-message.ts";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { oneLine } from "../domain/truncate.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { sendLinkMail } from "./link-mail.ts";

/**
 * An invitation of a person.
 *
 * @property inviter the name of whoever invites; null for a key, whose name says nothing to the invited person
 * @property expiresAt milliseconds since 1970
 */
export interface InviteMail {
  to: string;
  organization: string;
  inviter: string | null;
  role: Role;
  inviteUrl: string;
  expiresAt: number;
}

/** Sends an invitation (behavior 19.3). @param now milliseconds since 1970 */
export function sendInviteMail(
  { to, organization, inviter, role, inviteUrl: url, expiresAt }: InviteMail,
  settings: DeliverySettings,
  now: number,
): Promise<DeliveryAttempt> {
  const place = oneLine(placeOf({ name: organization }));
  const where = place === "stillup" ? place : `${place} on stillup`;
  const mail = {
    to,
    title: inviter ? `${oneLine(inviter)} invites you to ${where}` : `You are invited to ${where}`,
    before: [
      "stillup monitors websites, servers and jobs, and notifies people when something is down.",
      `You will have the role ${role}. Choose how you sign in:`,
    ],
    action: "Accept the invitation",
    url,
    after: `The link works once, until ${formatTime(expiresAt)}. If you did not expect it, ignore this message.`,
  };
  return sendLinkMail(mail, settings, now);
}
