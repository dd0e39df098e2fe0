import { formatDuration } from "../../domain/duration.ts";
import { INCIDENT_LABELS, type IncidentUpdate } from "../../domain/pages/incident.ts";
import type { PublicComponent, PublicIncident, PublicPage } from "../../domain/pages/public-page.ts";
import { type Html, html } from "../../html.ts";
import { cachedMarkdown } from "../markdown.ts";
import { htmlDocument, type PageAddress } from "./document.ts";
import { time, timeAfter, timeSpan } from "./time.ts";
import { impactTones } from "./words.ts";

/** Incidents that continue, with all of their updates. */
export function openIncidents({ incidents, components }: PublicPage, base: string): Html {
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null);
  if (open.length === 0) return html``;
  return html`<section aria-labelledby="incidents"><h2 id="incidents">Current incidents</h2>
${open.map((incident) => card(incident, { components, heading: linkedHeading(incident, base), shown: incident.updates.length }))}
</section>`;
}

/** An incident that is over: its last update, and the earlier ones on demand. */
export function pastIncident(
  incident: PublicIncident,
  { components, base }: { components: PublicComponent[]; base: string },
): Html {
  return card(incident, { components, heading: linkedHeading(incident, base), shown: 1 });
}

/** An incident on its own page, with all of its updates. */
function wholeIncident(incident: PublicIncident, components: PublicComponent[]): Html {
  const heading = html`<h1><bdi>${incident.title}</bdi></h1>`;
  return card(incident, { components, heading, shown: incident.updates.length });
}

function linkedHeading({ id, title }: PublicIncident, base: string): Html {
  return html`<h3><a href="${base}/incidents/${id}"><bdi>${title}</bdi></a></h3>`;
}

/** @param shown how many of the updates are shown at once */
function card(
  incident: PublicIncident,
  { components, heading, shown }: { components: PublicComponent[]; heading: Html; shown: number },
): Html {
  const { status, resolvedAt, impact, updates } = incident;
  const tone = resolvedAt === null ? impactTones[impact] : "neutral";
  return html`<article class="card event ${resolvedAt === null ? `open is-${tone}` : ""}">
<div class="event-head">${heading}<span class="pill ${tone}">${INCIDENT_LABELS[status]}</span></div>
<p class="facts">${when(incident)}${affected(incident.componentIds, components)}</p>
${updateList(updates.slice(0, shown))}${earlier(updates.slice(shown))}
</article>
`;
}

function when({ startedAt, resolvedAt }: PublicIncident): Html {
  if (resolvedAt === null) return html`<span>Since ${time(startedAt)}</span>`;
  return html`<span>${timeSpan(startedAt, resolvedAt)} (${formatDuration(resolvedAt - startedAt)})</span>`;
}

/** The names of components, in the line of facts; nothing without any. */
export function affected(ids: string[], components: PublicComponent[]): Html {
  const names = components.filter(({ id }) => ids.includes(id)).map(({ name }) => html`<bdi>${name}</bdi>`);
  if (names.length === 0) return html``;
  return html`<span>Affects ${names.flatMap((name, index) => (index === 0 ? [name] : [html`, `, name]))}</span>`;
}

function earlier(updates: IncidentUpdate[]): Html {
  if (updates.length === 0) return html``;
  const count = updates.length === 1 ? "1 earlier update" : `${updates.length} earlier updates`;
  return html`<details class="earlier"><summary>${count}</summary>${updateList(updates)}</details>`;
}

function updateList(updates: IncidentUpdate[]): Html {
  if (updates.length === 0) return html``;
  return html`<ol class="updates">${updates.map(
    ({
      status,
      body,
      createdAt,
      editedAt,
    }) => html`<li><p class="update-head"><b>${INCIDENT_LABELS[status]}</b>${time(createdAt)}${editedAt === null ? "" : html`<span class="edited">edited ${timeAfter(createdAt, editedAt)}</span>`}</p>
<div class="text" dir="auto">${cachedMarkdown(body)}</div></li>`,
  )}</ol>`;
}

/** The page of one incident, to which feeds and other formats link. @param incident one of the page */
export function renderIncidentPage(
  page: PublicPage,
  { incident, base, url }: PageAddress & { incident: PublicIncident },
): string {
  const text = `${incident.title}. ${page.title}`;
  return htmlDocument({
    title: `${incident.title} – ${page.title}`,
    base,
    head: html`<meta name="description" content="${text}">
<link rel="canonical" href="${url}/incidents/${incident.id}">`,
    body: html`<main class="alone"><p class="back"><a href="${base}/"><bdi>${page.title}</bdi></a></p>
${wholeIncident(incident, page.components)}
</main>
<footer><p>All times are in UTC.</p></footer>`,
    page,
  });
}
