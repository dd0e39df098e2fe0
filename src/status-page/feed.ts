import { iso } from "../domain/iso-time.ts";
import { fill } from "../domain/locale-formats.ts";
import type { IncidentStatus, IncidentUpdate } from "../domain/pages/incident.ts";
import type { Logo } from "../domain/pages/page-look.ts";
import type { PublicComponent, PublicIncident, PublicPage } from "../domain/pages/public-page.ts";
import { type Html, html } from "../html.ts";
import { time } from "./html/subscriptions.ts";
import { fillHtml, type Localization } from "./localization.ts";
import { cachedMarkdown } from "./markdown.ts";

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
  const { comma } = local.texts;
  const affected = affectedText(local, componentIds, page.components);
  const text = html`<p>${statusText(local, incident, status)}${affected ? html`<br>\n${affected}` : ""}</p>
${updates.map(
  (
    update,
  ) => html`<p><strong>${statusText(local, incident, update.status)}</strong>${comma}${times(local, update)}</p>
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

/** The title of an incident: as people wrote it, or generated for an outage in the language of the reader. */
export function incidentTitle({ texts, isolated }: Localization, { title, outage }: PublicIncident): string {
  return outage ? fill(texts.outage.title[levelOf(outage)], { name: isolated(outage.component) }) : title;
}

/** The title as HTML: a name does not change the direction of the text around it. */
export function titleMarkup({ texts }: Localization, { title, outage }: PublicIncident): Html {
  if (!outage) return html`<bdi>${title}</bdi>`;
  return fillHtml(texts.outage.title[levelOf(outage)], { name: html`<bdi>${outage.component}</bdi>` });
}

/** The words of a status. Nobody investigates an outage that people have not written about: it was detected. */
export function statusText(
  { texts }: Localization,
  { outage }: PublicIncident,
  status: IncidentStatus,
): string {
  return outage && status === "investigating" ? texts.detected : texts.incidentStatus[status];
}

/** The text of an update, as HTML: Markdown of people, or generated for an outage in the language of the reader. */
export function updateText(local: Localization, { outage }: PublicIncident, update: IncidentUpdate): Html {
  return outage ? html`<p>${outageText(local, outage, update)}</p>\n` : cachedMarkdown(update.body);
}

/** The names of the components of an incident or a maintenance, as HTML; null without any. */
export function affectedText(
  { texts }: Localization,
  ids: readonly string[],
  components: readonly PublicComponent[],
): Html | null {
  const names = components
    .filter(({ id }) => ids.includes(id))
    .map(({ name }, at) => html`${at > 0 ? texts.comma : ""}<bdi>${name}</bdi>`);
  return names.length > 0 ? fillHtml(texts.affected, { components: html`${names}` }) : null;
}

type Outage = NonNullable<PublicIncident["outage"]>;

function outageText(
  local: Localization,
  outage: Outage,
  { status, createdAt }: Pick<IncidentUpdate, "status" | "createdAt">,
): Html {
  const { texts, duration } = local;
  if (status === "investigating")
    return fillHtml(texts.outage.start[levelOf(outage)], { time: time(local, createdAt) });
  const text = status === "resolved" ? texts.outage.end : texts.outage.later;
  return fillHtml(text, { duration: duration(outage.lengthMs, "long") });
}

function levelOf({ isDown }: { isDown: boolean }): "down" | "degraded" {
  return isDown ? "down" : "degraded";
}

/** The path of a logo below its page, another one for each logo: browsers keep a logo for a day (behavior 17.24). */
export function logoPath({ bytes }: Logo): string {
  return `/logo?v=${new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 12)}`;
}

/** XML 1.0 can't contain other characters, not even escaped ones. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A document or a text that XML 1.0 can contain: what it can't is replaced by U+FFFD. */
export function validXml(text: string): string {
  return text.replaceAll(FORBIDDEN, "\uFFFD");
}
