import { placeOf } from "../domain/accounts/organization.ts";
import type { Role } from "../domain/accounts/role.ts";
import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { fill } from "../domain/locale-formats.ts";
import type { Language } from "../domain/pages/reader-locale.ts";
import { truncate } from "../domain/truncate.ts";
import { html } from "../html.ts";
import { type Localization, localizationOf } from "./languages/localization.ts";
import { MAX_SUBJECT, NO_MAIL_SERVER, sendMail } from "./mail.ts";
import type { DeliverySettings } from "./post.ts";

/**
 * A mail from stillup itself, about one link.
 *
 * @property title of one line, also the subject @property before the paragraphs above the link
 * @property action what the link does @property after the paragraph below it
 */
interface LinkMail {
  to: string;
  local: Localization;
  title: string;
  before: string[];
  action: string;
  url: string;
  after?: string;
}

/** Sends it as text and HTML. @param now milliseconds since 1970 */
async function sendLinkMail(
  { to, ...content }: LinkMail,
  { smtp, resolveOwn, baseUrl: _, ...transport }: DeliverySettings,
  now: number,
): Promise<DeliveryAttempt> {
  if (!smtp) return { outcome: "failed", error: NO_MAIL_SERVER, final: true };
  const mail = {
    subject: truncate(content.title, MAX_SUBJECT),
    text: textOf(content),
    html: htmlOf(content),
    from: { name: "stillup", address: smtp.from },
    to: { name: "", address: to },
    date: new Date(now),
    headers: { "Auto-Submitted": "auto-generated" },
  };
  return sendMail(mail, smtp, { ...transport, ...(resolveOwn && { resolve: resolveOwn }) });
}

type Content = Omit<LinkMail, "to">;

function textOf({ title, before, action, url, after, local }: Content): string {
  const link = `${action}${local.texts.colon.trimEnd()}\n${url}`;
  return `${[title, ...before, link, ...(after ? [after] : [])].join("\n\n")}\n`;
}

const BODY = "margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1d2433;background:#ffffff";
const TEXT = "margin:0 0 16px;overflow-wrap:anywhere";
const BUTTON =
  "display:inline-block;padding:10px 18px;border-radius:8px;background:#1d4ed8;color:#ffffff;text-decoration:none;font-weight:600";
const SMALL = "margin:0 0 16px;font-size:13px;color:#475467;overflow-wrap:anywhere";

/** The address is also readable, for programs that show no buttons, and for readers who look where a link leads. */
function htmlOf({ title, before, action, url, after, local }: Content): string {
  return html`<!doctype html>
<html lang="${local.language}"${local.isRightToLeft ? html` dir="rtl"` : ""}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="${BODY}">
<div style="max-width:600px;margin:0 auto">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere">${title}</h1>
${before.map((paragraph) => html`<p style="${TEXT}">${paragraph}</p>\n`)}<p style="${TEXT}"><a href="${url}" style="${BUTTON}">${action}</a></p>
<p style="${SMALL}"${local.isRightToLeft ? html` dir="ltr"` : ""}>${url}</p>
${after ? html`<p style="${SMALL}">${after}</p>\n` : ""}</div>
</body>
</html>
`.markup;
}

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
  language: Language;
}

/** Sends an invitation (behavior 19.3). @param now milliseconds since 1970 */
export function sendInviteMail(
  { to, organization, inviter, role, inviteUrl: url, expiresAt, language }: InviteMail,
  settings: DeliverySettings,
  now: number,
): Promise<DeliveryAttempt> {
  const local = localizationOf(language);
  const { about, role: ofRole, roles, action, after } = local.texts.mail.invite;
  const mail = {
    ...{ to, local, action, url },
    title: inviteTitle({ organization, inviter }, local),
    before: [about, fill(ofRole, { role: roles[role] })],
    after: fill(after, { time: local.time(expiresAt) }),
  };
  return sendLinkMail(mail, settings, now);
}

function inviteTitle(
  { organization: name, inviter }: Pick<InviteMail, "organization" | "inviter">,
  { texts, isolated }: Localization,
): string {
  const { byOf, by, of, plain } = texts.mail.invite.title;
  const place = placeOf({ name });
  const organization = isolated(place);
  if (!inviter) return place === "stillup" ? plain : fill(of, { organization });
  return fill(place === "stillup" ? by : byOf, { inviter: isolated(inviter), organization });
}

/** Sends a link that sets a new password (behavior 19.17). @param now milliseconds since 1970 */
export function sendPasswordMail(
  { to, url, language }: { to: string; url: string; language: Language },
  settings: DeliverySettings,
  now: number,
): Promise<DeliveryAttempt> {
  const local = localizationOf(language);
  const { title, text, action, after } = local.texts.mail.password;
  return sendLinkMail({ to, local, title, before: [text], action, url, after }, settings, now);
}

/**
 * Sends an e-mail that only shows that this server can send e-mail (behavior 16.333).
 *
 * @param now milliseconds since 1970
 */
export function sendTestMail(
  { to, language }: { to: string; language: Language },
  settings: DeliverySettings,
  now: number,
): Promise<DeliveryAttempt> {
  const local = localizationOf(language);
  const { title, text, action } = local.texts.mail.test;
  return sendLinkMail({ to, local, title, before: [text], action, url: settings.baseUrl() }, settings, now);
}
