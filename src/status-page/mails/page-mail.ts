import type { PageMail } from "../../domain/pages/page-mail.ts";
import { NOTICES_A_DAY } from "../../domain/pages/subscription.ts";
import { oneLine } from "../../domain/truncate.ts";
import { html } from "../../html.ts";
import type { Localization } from "../localization.ts";
import { cachedMarkdown } from "../markdown.ts";
import { fill, fillHtml } from "../template.ts";
import { type Letter, letterOf } from "./letter.ts";

/**
 * @property isLast whether it is the last message that the subscriber gets on this day
 * @property local of the subscriber, in the time zone of the page
 */
interface MailContext {
  pageTitle: string;
  /** Without a trailing slash. */
  pageUrl: string;
  /** The token of the subscription. */
  token: string;
  isLast: boolean;
  local: Localization;
}

/** The content of an e-mail. @property unsubscribeUrl of the form that unsubscribes, also by one click (RFC 8058) */
interface MailContent {
  subject: string;
  text: string;
  html: string;
  unsubscribeUrl: string;
}

/** A message to a subscriber as text and HTML (behavior 15.82). */
export function pageMail(mail: PageMail, given: MailContext): MailContent {
  // A title can have line breaks, and reverse what follows it.
  const context = { ...given, pageTitle: oneLine(given.pageTitle) };
  const { pageTitle, pageUrl, local } = context;
  const linkTo = (form: string) => `${pageUrl}/subscriptions/${form}?token=${context.token}`;
  const [confirmUrl, unsubscribeUrl] = [linkTo("confirm"), linkTo("unsubscribe")];
  const letter = letterOf(mail, { pageTitle, pageUrl, confirmUrl, local });
  const layout = { letter, ...context, unsubscribeUrl };
  return { subject: letter.subject, text: textOf(layout), html: htmlOf(layout), unsubscribeUrl };
}

type Layout = MailContext & { letter: Letter; unsubscribeUrl: string };

function lastText({ texts, number }: Localization): string {
  return fill(texts.mail.last, { count: number(NOTICES_A_DAY) });
}

function textOf({ letter, pageTitle, pageUrl, isLast, unsubscribeUrl, local }: Layout): string {
  const { subject, paragraphs, message, markdown, list, button } = letter;
  const { colon, unsubscribe } = local.texts;
  const lines = (label: string, url: string) => `${label}${colon.trimEnd()}\n${url}`;
  const parts = [
    subject,
    ...paragraphs,
    ...(message === undefined ? [] : [message]),
    ...(markdown === undefined ? [] : [markdown]),
    ...(list ? [list.map((line) => `- ${line}`).join("\n")] : []),
    button ? lines(button.label, button.url) : lines(local.isolated(pageTitle), pageUrl),
    ...(isLast ? [lastText(local)] : []),
    lines(unsubscribe.button, unsubscribeUrl),
  ];
  return `${parts.join("\n\n")}\n`;
}

const BODY = "margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1d2433;background:#ffffff";
const TEXT = "margin:0 0 16px;overflow-wrap:anywhere";
const BUTTON =
  "display:inline-block;padding:10px 18px;border-radius:8px;background:#1d4ed8;color:#ffffff;text-decoration:none;font-weight:600";
const SMALL = "margin:24px 0 0;padding:16px 0 0;border-top:1px solid #d0d5dd;font-size:13px;color:#475467";

function htmlOf({ letter, pageTitle, pageUrl, isLast, unsubscribeUrl, local }: Layout): string {
  const { subject, paragraphs, message, markdown, list, button } = letter;
  const { texts, locale, isRightToLeft } = local;
  const { label, url } = button ?? { label: texts.mail.open, url: pageUrl };
  const title = html`<span dir="auto">${pageTitle}</span>`;
  return html`<!doctype html>
<html lang="${locale}"${isRightToLeft ? html` dir="rtl"` : ""}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="${BODY}">
<div style="max-width:600px;margin:0 auto">
<p dir="auto" style="margin:0 0 8px;font-size:14px;color:#475467">${pageTitle}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere">${subject}</h1>
${paragraphs.map(
  (paragraph) => html`<p style="${TEXT}">${paragraph}</p>
`,
)}${
  message === undefined
    ? ""
    : html`<p dir="auto" style="${TEXT};white-space:pre-line">${message}</p>
`
}${
  markdown === undefined
    ? ""
    : html`<div dir="auto" style="${TEXT}">${cachedMarkdown(markdown)}</div>
`
}${
  list
    ? html`<ul style="margin:0 0 16px;padding:0;padding-inline-start:20px">${list.map((line) => html`<li>${line}</li>`)}</ul>
`
    : ""
}<p style="margin:24px 0 0"><a href="${url}" style="${BUTTON}">${label}</a></p>
${
  isLast
    ? html`<p style="margin:24px 0 0">${lastText(local)}</p>
`
    : ""
}<p style="${SMALL}">${button ? "" : html`${fillHtml(texts.mail.reason, { title })} `}<a href="${unsubscribeUrl}" style="color:#475467">${texts.unsubscribe.button}</a></p>
</div>
</body>
</html>
`.markup;
}
