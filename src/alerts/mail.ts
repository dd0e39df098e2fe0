import { createHash } from "node:crypto";
import { type AlertEvent, isAboutLocation, isTransition } from "../domain/alerts/alert-event.ts";
import { colours } from "./colour.ts";
import { html } from "./html.ts";
import type { AlertMessage, Fact } from "./message.ts";
import { truncate } from "./truncate.ts";

/** Characters. A header may be longer, but mail programs truncate it. */
const LONGEST_SUBJECT = 250;

/** The content of an e-mail. */
export function mailOf(message: AlertMessage): { subject: string; text: string; html: string } {
  return { subject: truncate(message.title, LONGEST_SUBJECT), text: textOf(message), html: htmlOf(message) };
}

/**
 * The ID of the thread for all e-mails about one period of trouble, one location, or one maintenance. It is a hash, because mail servers
 * log it and the ID of a monitor is a secret (behavior 8.1).
 */
export function threadOf(event: AlertEvent): string {
  return createHash("sha256").update(subjectOf(event)).digest("base64url").slice(0, 22);
}

function subjectOf(event: AlertEvent): string {
  if (!isTransition(event))
    return isAboutLocation(event) ? `location ${event.location.id}` : `maintenance ${event.maintenance.id}`;
  const { monitor, troubleSince, result } = event;
  return `${monitor.id} ${troubleSince ?? result.createdAt}`;
}

function textOf({ title, reason, facts, link }: AlertMessage): string {
  const lines = facts.map(({ label, value }) => `${label}: ${value}`);
  return [title, "", reason, "", ...lines, "", link, ""].join("\n");
}

function htmlOf({ title, reason, facts, link, group }: AlertMessage): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1d2433">
<div style="max-width:600px;border-left:6px solid ${colours[group]};padding:0 0 0 18px">
<h1 style="margin:0 0 8px;font-size:20px;overflow-wrap:anywhere">${title}</h1>
<p style="margin:0 0 16px;overflow-wrap:anywhere">${reason}</p>
<table style="border-collapse:collapse">${facts.map(row)}</table>
<p style="margin:16px 0 0"><a href="${link}">Open in stillup</a></p>
</div>
</body>
</html>
`.markup;
}

function row({ label, value }: Fact) {
  return html`<tr><td style="padding:2px 16px 2px 0;color:#667085">${label}</td><td>${value}</td></tr>`;
}
