import { iso } from "../domain/iso-time.ts";
import { INCIDENT_LABELS, type IncidentUpdate } from "../domain/pages/incident.ts";
import type { PublicIncident, PublicPage } from "../domain/pages/public-page.ts";
import { type Html, html } from "../html.ts";
import { cachedMarkdown } from "./markdown.ts";
import { validXml } from "./xml.ts";

/** The namespace of the IDs in feeds. It must never change, because readers would show all entries again. */
const IDS = "2c9ee0f6-3d1a-4f0e-8c55-5a6f0a1b7c3e";

/**
 * The incidents and outages of a page as an Atom feed (RFC 4287, behavior 15.59 and 15.60).
 *
 * @param url of the page, without a trailing slash
 */
export function feed(page: PublicPage, url: string): string {
  const incidents = page.incidents.toSorted((a, b) => b.updatedAt - a.updatedAt);
  const document = html`<feed xmlns="http://www.w3.org/2005/Atom">
<title>${page.title}</title>${page.description ? html`\n<subtitle>${page.description}</subtitle>` : ""}
<id>${idOf(page.id)}</id>
<updated>${iso(incidents[0]?.updatedAt ?? page.updatedAt)}</updated>
<author><name>${page.title}</name><uri>${url}</uri></author>
<generator>stillup</generator>
<link rel="self" type="application/atom+xml" href="${url}/feed.atom"/>
<link rel="alternate" type="text/html" href="${url}"/>
${incidents.map((incident) => entry(page, url, incident))}</feed>
`;
  return validXml(`<?xml version="1.0" encoding="utf-8"?>\n${document.markup}`);
}

function entry(page: PublicPage, url: string, incident: PublicIncident): Html {
  const { id, title, impact, startedAt, updatedAt } = incident;
  return html`<entry>
<title>${title}</title>
<id>${idOf(`${page.id}/${id}`)}</id>
<published>${iso(startedAt)}</published>
<updated>${iso(updatedAt)}</updated>
<link rel="alternate" type="text/html" href="${url}/incidents/${id}"/>
<category term="${impact}"/>
<content type="html">${content(page, incident).markup}</content>
</entry>
`;
}

function content(page: PublicPage, { componentIds, status, updates }: PublicIncident): Html {
  const names = page.components.filter(({ id }) => componentIds.includes(id)).map(({ name }) => name);
  return html`<p>${INCIDENT_LABELS[status]}${names.length > 0 ? `. Affected: ${names.join(", ")}` : ""}</p>
${updates.map(update)}`;
}

function update({ status, body, createdAt, editedAt }: IncidentUpdate): Html {
  const edited = editedAt === null ? "" : html`, edited ${timeOf(editedAt)}`;
  return html`<p><strong>${INCIDENT_LABELS[status]}</strong>, ${timeOf(createdAt)}${edited}</p>
<div dir="auto">${cachedMarkdown(body)}</div>`;
}

function timeOf(at: number): Html {
  const time = iso(at);
  return html`<time datetime="${time}">${minutes(time)} UTC</time>`;
}

/** @param time for example `2026-11-22T15:30:00.000Z` @returns for example `2026-11-22 15:30` */
function minutes(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

/** Stays the same at another URL. */
function idOf(name: string): string {
  return `urn:uuid:${Bun.randomUUIDv5(name, IDS)}`;
}
