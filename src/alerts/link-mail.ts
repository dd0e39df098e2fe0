import type { DeliveryAttempt } from "../domain/alerts/delivery.ts";
import { truncate } from "../domain/truncate.ts";
import { html } from "../html.ts";
import type { DeliverySettings } from "./delivery-settings.ts";
import { MAX_SUBJECT, NO_MAIL_SERVER } from "./mail.ts";
import { sendMail } from "./smtp.ts";

/**
 * A mail from stillup itself, about one link.
 *
 * @property title of one line, also the subject @property before the paragraphs above the link
 * @property action what the link does @property after the paragraph below it
 */
interface LinkMail {
  to: string;
  title: string;
  before: string[];
  action: string;
  url: string;
  after?: string;
}

/** Sends it as text and HTML. @param now milliseconds since 1970 */
export async function sendLinkMail(
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

function textOf({ title, before, action, url, after }: Content): string {
  return `${[title, ...before, `${action}:\n${url}`, ...(after ? [after] : [])].join("\n\n")}\n`;
}

const BODY = "margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1d2433;background:#ffffff";
const TEXT = "margin:0 0 16px;overflow-wrap:anywhere";
const BUTTON =
  "display:inline-block;padding:10px 18px;border-radius:8px;background:#1d4ed8;color:#ffffff;text-decoration:none;font-weight:600";
const SMALL = "margin:0 0 16px;font-size:13px;color:#475467;overflow-wrap:anywhere";

/** The address is also readable, for programs that show no buttons, and for readers who look where a link leads. */
function htmlOf({ title, before, action, url, after }: Content): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="${BODY}">
<div style="max-width:600px;margin:0 auto">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere">${title}</h1>
${before.map((paragraph) => html`<p style="${TEXT}">${paragraph}</p>\n`)}<p style="${TEXT}"><a href="${url}" style="${BUTTON}">${action}</a></p>
<p style="${SMALL}">${url}</p>
${after ? html`<p style="${SMALL}">${after}</p>\n` : ""}</div>
</body>
</html>
`.markup;
}
