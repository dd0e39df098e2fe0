import { fill } from "../../domain/locale-formats.ts";
import {
  type IncidentNotice,
  type MaintenanceNotice,
  NOTICES_A_DAY,
  type OutageNotice,
  type PageMail,
  type PageNotice,
} from "../../domain/pages/subscription.ts";
import { oneLine, truncate } from "../../domain/truncate.ts";
import { html } from "../../html.ts";
import { fillHtml, type Localization } from "../localization.ts";
import { cachedMarkdown } from "../markdown.ts";

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
  const [confirmUrl, unsubscribeUrl, manageUrl] = ["confirm", "unsubscribe", "manage"].map(linkTo) as [
    string,
    string,
    string,
  ];
  const letter = letterOf(mail, { pageTitle, pageUrl, confirmUrl, local });
  const layout = { letter, ...context, unsubscribeUrl, manageUrl };
  return { subject: letter.subject, text: textOf(layout), html: htmlOf(layout), unsubscribeUrl };
}

type Layout = MailContext & { letter: Letter; unsubscribeUrl: string; manageUrl: string };

function lastText({ texts, number }: Localization): string {
  return fill(texts.mail.last, { count: number(NOTICES_A_DAY) });
}

function textOf({ letter, pageTitle, pageUrl, isLast, unsubscribeUrl, manageUrl, local }: Layout): string {
  const { subject, paragraphs, message, markdown, list, button } = letter;
  const { colon, choose, unsubscribe } = local.texts;
  const lines = (label: string, url: string) => `${label}${colon.trimEnd()}\n${url}`;
  const parts = [
    subject,
    ...paragraphs,
    ...(message === undefined ? [] : [message]),
    ...(markdown === undefined ? [] : [markdown]),
    ...(list ? [list.map((line) => `- ${line}`).join("\n")] : []),
    button ? lines(button.label, button.url) : lines(local.isolated(pageTitle), pageUrl),
    ...(isLast ? [lastText(local)] : []),
    ...(button ? [] : [lines(choose.label, manageUrl)]),
    lines(unsubscribe.button, unsubscribeUrl),
  ];
  return `${parts.join("\n\n")}\n`;
}

const BODY = "margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1d2433;background:#ffffff";
const TEXT = "margin:0 0 16px;overflow-wrap:anywhere";
const BUTTON =
  "display:inline-block;padding:10px 18px;border-radius:8px;background:#1d4ed8;color:#ffffff;text-decoration:none;font-weight:600";
const SMALL = "margin:24px 0 0;padding:16px 0 0;border-top:1px solid #d0d5dd;font-size:13px;color:#475467";

function htmlOf({ letter, pageTitle, pageUrl, isLast, unsubscribeUrl, manageUrl, local }: Layout): string {
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
}<p style="${SMALL}">${button ? "" : html`${fillHtml(texts.mail.reason, { title })} <a href="${manageUrl}" style="color:#475467">${texts.choose.label}</a> · `}<a href="${unsubscribeUrl}" style="color:#475467">${texts.unsubscribe.button}</a></p>
</div>
</body>
</html>
`.markup;
}

/** The content of a message, before it becomes text and HTML. */
interface Letter {
  /** One line. */
  subject: string;
  paragraphs: string[];
  /** Written by people, as plain text. */
  message?: string;
  /** Written by people, as Markdown. */
  markdown?: string;
  list?: string[];
  /** The one thing to do. */
  button?: { label: string; url: string };
}

/** @property confirmUrl of the form that confirms @property local of the subscriber, in the time zone of the page */
interface LetterContext {
  pageTitle: string;
  pageUrl: string;
  confirmUrl: string;
  local: Localization;
}

/** Characters. A header may be longer, but mail programs truncate it. */
const MAX_SUBJECT = 200;

/** The words of a message (behavior 15.82). */
function letterOf(mail: PageMail, context: LetterContext): Letter {
  const letter = contentOf(mail, context);
  return { ...letter, subject: truncate(letter.subject, MAX_SUBJECT) };
}

function contentOf(mail: PageMail, context: LetterContext): Letter {
  const { local } = context;
  if (mail.kind === "optIn") return optInLetter(context);
  if (mail.kind === "incident") return incidentLetter(local, mail);
  if (mail.kind === "outage") return outageLetter(local, mail);
  if (mail.kind === "maintenance") return maintenanceLetter(local, mail);
  return severalLetter(mail, context);
}

function optInLetter({ pageTitle, pageUrl, confirmUrl, local }: LetterContext): Letter {
  const { subject, reason, confirm, button } = local.texts.mail.optIn;
  const [title, url] = [pageTitle, pageUrl].map(local.isolated) as [string, string];
  return {
    subject: fill(subject, { title }),
    paragraphs: [fill(reason, { title, url }), confirm],
    button: { label: button, url: confirmUrl },
  };
}

function incidentLetter(local: Localization, { title, update, components, at }: IncidentNotice): Letter {
  const { incidentStatus, mail, colon } = local.texts;
  const status = update ? incidentStatus[update.status] : mail.newIncident;
  return {
    subject: `${status}${colon}${local.isolated(title)}`,
    paragraphs: [local.moment(at), ...affects(local, components)],
    ...(update && { markdown: update.body }),
  };
}

function outageLetter(local: Localization, outage: OutageNotice): Letter {
  const { startedAt, endedAt, isDown, lengthMs } = outage;
  const { start, end } = local.texts.outage;
  const paragraphs =
    endedAt === null
      ? [fill(isDown ? start.down : start.degraded, { time: local.moment(startedAt) })]
      : [
          local.moment(endedAt),
          fill(end, { duration: local.duration(lengthMs ?? endedAt - startedAt, "long") }),
        ];
  return { subject: headlineOf(local, outage), paragraphs };
}

function maintenanceLetter(local: Localization, maintenance: MaintenanceNotice): Letter {
  const { message, components } = maintenance;
  return {
    subject: headlineOf(local, maintenance),
    paragraphs: [timesOf(local, maintenance), ...affects(local, components)],
    ...(message !== null && { message }),
  };
}

function timesOf(
  { texts, moment }: Localization,
  { startedAt, endsAt, isOver, plan }: MaintenanceNotice,
): string {
  const { began, beganAndEnded, beganAndEnds, plannedFor } = texts.mail;
  const start = moment(startedAt);
  if (plan && endsAt !== null) return fill(plannedFor, { start, end: moment(endsAt) });
  if (endsAt === null) return fill(began, { start });
  return fill(isOver ? beganAndEnded : beganAndEnds, { start, end: moment(endsAt) });
}

function severalLetter(
  { notices, count }: Extract<PageMail, { kind: "several" }>,
  { pageTitle, local }: LetterContext,
): Letter {
  const { texts, plural } = local;
  const { changes, changesOnPage, andMore } = texts.mail;
  const lines = notices.map((notice) => headlineOf(local, notice));
  const rest = count - lines.length;
  return {
    subject: plural(changes, count, { list: lines.join(texts.comma) }),
    paragraphs: [plural(changesOnPage, count, { title: local.isolated(pageTitle) })],
    list: [...lines, ...(rest > 0 ? [plural(andMore, rest)] : [])],
  };
}

function headlineOf({ texts, isolated }: Localization, notice: PageNotice): string {
  const { mail, outage, incidentStatus, colon } = texts;
  if (notice.kind === "maintenance") {
    const started = notice.isOver ? mail.maintenanceOver : mail.maintenance;
    return `${notice.plan ? mail[notice.plan] : started}${colon}${isolated(notice.title)}`;
  }
  const { down, degraded } = outage.title;
  const headline = fill(notice.isDown ? down : degraded, { name: isolated(notice.component) });
  return notice.endedAt === null ? headline : `${incidentStatus.resolved}${colon}${headline}`;
}

function affects({ texts, isolated }: Localization, components: readonly string[]): string[] {
  const names = components.map(isolated).join(texts.comma);
  return components.length === 0 ? [] : [fill(texts.affected, { components: names })];
}
