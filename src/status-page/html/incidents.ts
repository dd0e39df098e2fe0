import type { IncidentUpdate } from "../../domain/pages/incident.ts";
import type { PublicComponent, PublicIncident, PublicPage } from "../../domain/pages/public-page.ts";
import { type Html, html } from "../../html.ts";
import { affectedText, incidentTitle, statusText, titleMarkup, updateText } from "../feed.ts";
import { fillHtml, type Localization } from "../localization.ts";
import { time, timeAfter, timeSpan, zoneNote } from "./subscriptions.ts";
import { htmlDocument, impactTones, type PageAddress } from "./unlock.ts";

/** Incidents that continue: what people wrote with all updates, and of several outages one card (behavior 15.104). */
export function openIncidents(
  local: Localization,
  { incidents, components }: PublicPage,
  base: string,
): Html {
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null);
  if (open.length === 0) return html``;
  const whole = (incident: PublicIncident) =>
    card(local, incident, {
      ...{ components, heading: linkedHeading(local, incident, base) },
      // The title and the time of an outage say all that its first update does.
      shown: incident.outage ? incident.updates.length - 1 : incident.updates.length,
    });
  const outages = ["down", "degraded"].map((level) =>
    open.filter(({ outage }) => outage && outage.isDown === (level === "down")),
  );
  return html`<section aria-labelledby="incidents"><h2 id="incidents">${local.texts.currentIncidents}</h2>
${open.filter(({ outage }) => !outage).map(whole)}${outages.map((some) => (some.length > 1 ? severalCard(local, some, base) : html`${some.map(whole)}`))}
</section>`;
}

/** One card for all outages of a level, with a link to each, the latest first. */
function severalCard(local: Localization, outages: readonly PublicIncident[], base: string): Html {
  const { texts } = local;
  const isDown = outages.some(({ outage }) => outage?.isDown);
  const tone = isDown ? "bad" : "minor";
  const title = local.plural(texts.outage.several[isDown ? "down" : "degraded"], outages.length);
  return html`<article class="card event open is-${tone}">
<div class="event-head"><h3>${title}</h3><span class="pill ${tone}">${texts.detected}</span></div>
<ul class="several">${outages.map(
    ({ id, outage, startedAt }) =>
      html`<li><a href="${base}/incidents/${id}"><bdi>${outage?.component ?? ""}</bdi></a><span class="since">${fillHtml(texts.since, { time: time(local, startedAt) })}</span></li>`,
  )}</ul>
</article>
`;
}

/** An incident that is over: its last update, and the earlier ones on demand. @param base null without a page of its own */
export function pastIncident(
  local: Localization,
  incident: PublicIncident,
  { components, base }: { components: readonly PublicComponent[]; base: string | null },
): Html {
  const heading =
    base === null ? html`<h3>${titleMarkup(local, incident)}</h3>` : linkedHeading(local, incident, base);
  return card(local, incident, { components, heading, shown: 1 });
}

/** An incident on its own page, with all of its updates. */
function wholeIncident(local: Localization, incident: PublicIncident, components: PublicComponent[]): Html {
  const heading = html`<h1>${titleMarkup(local, incident)}</h1>`;
  return card(local, incident, { components, heading, shown: incident.updates.length });
}

function linkedHeading(local: Localization, incident: PublicIncident, base: string): Html {
  return html`<h3><a href="${base}/incidents/${incident.id}">${titleMarkup(local, incident)}</a></h3>`;
}

/** @param shown how many of the updates are shown at once */
function card(
  local: Localization,
  incident: PublicIncident,
  { components, heading, shown }: { components: readonly PublicComponent[]; heading: Html; shown: number },
): Html {
  const { status, resolvedAt, impact, updates } = incident;
  const tone = resolvedAt === null ? impactTones[impact] : "neutral";
  return html`<article class="card event ${resolvedAt === null ? `open is-${tone}` : ""}">
<div class="event-head">${heading}<span class="pill ${tone}">${statusText(local, incident, status)}</span></div>
<p class="facts">${when(local, incident)}${incident.outage && incident.componentIds.length < 2 ? "" : affected(local, incident.componentIds, components)}</p>
${updateList(local, incident, updates.slice(0, shown))}${incident.outage ? "" : earlier(local, incident, updates.slice(shown))}
</article>
`;
}

function when(local: Localization, { startedAt, resolvedAt, outage }: PublicIncident): Html {
  if (resolvedAt === null)
    return html`<span>${fillHtml(local.texts.since, { time: time(local, startedAt) })}</span>`;
  const length = local.duration(outage?.lengthMs ?? resolvedAt - startedAt, "short");
  return html`<span>${timeSpan(local, startedAt, resolvedAt)} (${length})</span>`;
}

/** The names of components, in the line of facts; nothing without any. */
export function affected(
  local: Localization,
  ids: readonly string[],
  components: readonly PublicComponent[],
): Html {
  const text = affectedText(local, ids, components);
  return text ? html`<span>${text}</span>` : html``;
}

function earlier(local: Localization, incident: PublicIncident, updates: IncidentUpdate[]): Html {
  if (updates.length === 0) return html``;
  const count = local.plural(local.texts.earlierUpdates, updates.length);
  return html`<details class="earlier"><summary>${count}</summary>${updateList(local, incident, updates)}</details>`;
}

function updateList(local: Localization, incident: PublicIncident, updates: IncidentUpdate[]): Html {
  if (updates.length === 0) return html``;
  return html`<ol class="updates">${updates.map(
    (
      update,
    ) => html`<li><p class="update-head"><b>${statusText(local, incident, update.status)}</b>${time(local, update.createdAt)}${edited(local, update)}</p>
<div class="text" dir="auto">${updateText(local, incident, update)}</div></li>`,
  )}</ol>`;
}

function edited(local: Localization, { createdAt, editedAt }: IncidentUpdate): Html {
  if (editedAt === null) return html``;
  const at = timeAfter(local, createdAt, editedAt);
  return html`<span class="edited">${fillHtml(local.texts.edited, { time: at })}</span>`;
}

/** The page of one incident, to which feeds and other formats link. @param incident one of the page */
export function renderIncidentPage(
  page: PublicPage,
  { incident, base, url, local }: PageAddress & { incident: PublicIncident; local: Localization },
): string {
  const written = incidentTitle(local, incident);
  const title = `${incident.outage ? written : local.isolated(written)} – ${local.isolated(page.title)}`;
  return htmlDocument({
    title,
    base,
    local,
    head: html`<meta name="description" content="${title}">
<link rel="canonical" href="${url}/incidents/${incident.id}">`,
    body: html`<main class="alone"><p class="back"><a href="${base}/"><bdi>${page.title}</bdi></a></p>
${wholeIncident(local, incident, page.components)}
</main>
<footer>${zoneNote(local)}</footer>`,
    page,
  });
}

/** The answer for an incident that a page does not show. It says nothing about whether the incident exists. */
export function missingIncidentPage(
  page: PublicPage,
  { base, local }: Pick<PageAddress, "base"> & { local: Localization },
): string {
  const { noIncident } = local.texts;
  return htmlDocument({
    title: `${noIncident} – ${local.isolated(page.title)}`,
    base,
    local,
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main class="alone"><p class="back"><a href="${base}/"><bdi>${page.title}</bdi></a></p>
<div class="card panel"><h1>${noIncident}</h1></div></main>`,
  });
}
