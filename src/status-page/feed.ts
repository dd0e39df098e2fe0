import { iso } from "../domain/iso-time.ts";
import type { IncidentUpdate } from "../domain/pages/incident.ts";
import type { PublicIncident, PublicPage } from "../domain/pages/public-page.ts";
import { type Html, html } from "../html.ts";
import { affectedText, incidentTitle, updateText } from "./incident-texts.ts";
import type { Localization } from "./localization.ts";
import { fillHtml } from "./template.ts";
import { validXml } from "./xml.ts";

/** The namespace of the IDs in feeds. It must never change, because readers would show all entries again. */
const IDS = "2c9ee0f6-3d1a-4f0e-8c55-5a6f0a1b7c3e";

/**
 * The incidents and outages of a page as an Atom feed (RFC 4287, behavior 15.59 and 15.60).
 *
 * @param url of the page, without a trailing slash @param local of the reader, in the time zone of the page
 */
export function feed(page: PublicPage, { url, local }: FeedContext): string {
  const incidents = page.incidents.toSorted((a, b) => b.updatedAt - a.updatedAt);
  const document = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${local.locale}">
<title>${page.title}</title>${page.description ? html`\n<subtitle>${page.description}</subtitle>` : ""}
<id>${idOf(page.id)}</id>
<updated>${iso(incidents[0]?.updatedAt ?? page.updatedAt)}</updated>
<author><name>${page.title}</name><uri>${url}</uri></author>
<generator>stillup</generator>
<link rel="self" type="application/atom+xml" href="${url}/feed.atom"/>
<link rel="alternate" type="text/html" href="${url}"/>
${incidents.map((incident) => entry(page, incident, { url, local }))}</feed>
`;
  return validXml(`<?xml version="1.0" encoding="utf-8"?>\n${document.markup}`);
}

interface FeedContext {
  url: string;
  local: Localization;
}

function entry(page: PublicPage, incident: PublicIncident, { url, local }: FeedContext): Html {
  const { id, impact, startedAt, updatedAt } = incident;
  return html`<entry>
<title>${incidentTitle(local, incident)}</title>
<id>${idOf(`${page.id}/${id}`)}</id>
<published>${iso(startedAt)}</published>
<updated>${iso(updatedAt)}</updated>
<link rel="alternate" type="text/html" href="${url}/incidents/${id}"/>
<category term="${impact}"/>
<content type="html">${content(local, page, incident).markup}</content>
</entry>
`;
}

function content(local: Localization, page: PublicPage, incident: PublicIncident): Html {
  const { componentIds, status, updates } = incident;
  const { comma, incidentStatus } = local.texts;
  const affected = affectedText(local, componentIds, page.components);
  const text = html`<p>${incidentStatus[status]}${affected ? html`<br>\n${affected}` : ""}</p>
${updates.map(
  (update) => html`<p><strong>${incidentStatus[update.status]}</strong>${comma}${times(local, update)}</p>
<div dir="auto">${updateText(local, incident, update)}</div>`,
)}`;
  // Feed readers show it in a document of their own, whose direction is another one.
  return local.isRightToLeft ? html`<div dir="rtl">${text}</div>` : text;
}

function times(local: Localization, { createdAt, editedAt }: IncidentUpdate): Html {
  const created = timeOf(local, createdAt);
  if (editedAt === null) return created;
  const { comma, edited } = local.texts;
  return html`${created}${comma}${fillHtml(edited, { time: timeOf(local, editedAt) })}`;
}

function timeOf({ momentWithYear }: Localization, at: number): Html {
  return html`<time datetime="${iso(at)}">${momentWithYear(at)}</time>`;
}

/** Stays the same at another URL. */
function idOf(name: string): string {
  return `urn:uuid:${Bun.randomUUIDv5(name, IDS)}`;
}
