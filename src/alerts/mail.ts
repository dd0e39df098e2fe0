import { createHash } from "node:crypto";
import { type AlertEvent, isTransition, subjectOfNotice } from "../domain/alerts/alert-event.ts";
import { truncate } from "../domain/truncate.ts";
import { html } from "../html.ts";
import { colours } from "./colour.ts";
import type { AlertMessage, Fact } from "./message.ts";

/** Characters. A header may be longer, but mail programs truncate it. */
const LONGEST_SUBJECT = 250;

/** The content of an e-mail. */
export function mailOf(message: AlertMessage): { subject: string; text: string; html: string } {
  return { subject: truncate(message.title, LONGEST_SUBJECT), text: textOf(message), html: htmlOf(message) };
}

/**
 * The ID of the thread for all e-mails about one period of trouble, one location, one maintenance, or the checks of one organization. It is a hash, because mail servers
 * log it and the ID of a monitor is a secret (behavior 8.1).
 */
export function threadOf(event: AlertEvent): string {
  return createHash("sha256").update(subjectOf(event)).digest("base64url").slice(0, 22);
}

function subjectOf(event: AlertEvent): string {
  if (!isTransition(event)) {
    const { kind, id } = subjectOfNotice(event);
    return `${kind} ${id}`;
  }
  const { monitor, troubleSince, result } = event;
  return `${monitor.id} ${troubleSince ?? result.createdAt}`;
}

function textOf(message: AlertMessage): string {
  const { title, reason, facts, list = [] } = message;
  const lines = facts.map(({ label, value }) => `${label}: ${value}`);
  const names = list.length > 0 ? ["", ...list] : [];
  const [link, ...others] = linksOf(message);
  const links = [link.url, ...others.map(({ label, url }) => `${label}: ${url}`)];
  return [title, "", reason, "", ...lines, ...names, "", ...links, ""].join("\n");
}

function htmlOf(message: AlertMessage): string {
  const { title, reason, facts, list = [], group } = message;
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1d2433">
<div style="max-width:600px;border-left:6px solid ${colours[group]};padding:0 0 0 18px">
<h1 style="margin:0 0 8px;font-size:20px;overflow-wrap:anywhere">${title}</h1>
<p style="margin:0 0 16px;overflow-wrap:anywhere">${reason}</p>
<table style="border-collapse:collapse">${facts.map(row)}</table>
${
  list.length > 0
    ? html`<ul style="margin:16px 0 0;padding:0 0 0 18px;overflow-wrap:anywhere">${list.map(item)}</ul>
`
    : ""
}<p style="margin:16px 0 0">${linksOf(message).map(anchor)}</p>
</div>
</body>
</html>
`.markup;
}

interface Link {
  label: string;
  url: string;
}

/** The first is the page of the monitor, or of what the message is about. */
function linksOf({ link, outageLink }: AlertMessage): [Link, ...Link[]] {
  const first = { label: "Open in stillup", url: link };
  return outageLink === undefined ? [first] : [first, { label: "Open the outage", url: outageLink }];
}

function anchor({ label, url }: Link, at: number) {
  return html`${at > 0 ? " · " : ""}<a href="${url}">${label}</a>`;
}

function item(line: string) {
  return html`<li>${line}</li>`;
}

function row({ label, value }: Fact) {
  return html`<tr><td style="padding:2px 16px 2px 0;color:#667085">${label}</td><td>${value}</td></tr>`;
}
