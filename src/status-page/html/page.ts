import { isUnderMaintenance } from "../../domain/pages/component-status.ts";
import type { PublicPage } from "../../domain/pages/public-page.ts";
import { type Html, html } from "../../html.ts";
import { logoPath } from "../logo-path.ts";
import { componentSection } from "./components.ts";
import { htmlDocument, type PageAddress } from "./document.ts";
import { openIncidents, pastIncident } from "./incidents.ts";
import { maintenanceCard, maintenanceSection } from "./maintenances.ts";
import { subscribePanel } from "./subscriptions.ts";
import { dayOf, fullDate, time } from "./time.ts";
import { icon, type Tone } from "./words.ts";

/**
 * The public page, which works without its script (behavior 15.40).
 *
 * @param canSubscribe whether the server can send e-mails
 * @param isEmbedded for a frame in another page (behavior 17.27)
 */
export function renderPage(
  page: PublicPage,
  options: PageAddress & { canSubscribe: boolean; isEmbedded?: boolean },
): string {
  const { base, canSubscribe, isEmbedded = false } = options;
  const { title } = page;
  const body = html`${isEmbedded ? "" : header(page, options)}
<main${isEmbedded ? html` class="embedded"` : ""}>
${overall(page)}
${openIncidents(page, base)}
${maintenanceSection(page, { state: "active", title: "Maintenance in progress" })}
${componentSection(page.components)}
${maintenanceSection(page, { state: "scheduled", title: "Scheduled maintenance" })}
${pastSection(page, base)}
${canSubscribe && !isEmbedded ? subscribePanel(base) : ""}
</main>
<footer><p>All times are in UTC.</p>${isEmbedded ? "" : footerLinks(base)}</footer>`;
  return htmlDocument({
    title: `${page.summary} – ${title}`,
    base,
    head: head(page, options),
    body,
    page,
  });
}

function header(
  { title, description, logo }: PublicPage,
  { base, canSubscribe }: { base: string; canSubscribe: boolean },
): Html {
  return html`<header>${logo ? html`<img class="logo" src="${base}${logoPath(logo)}" alt="">` : ""}<h1><bdi>${title}</bdi></h1>
${canSubscribe ? html`<a class="button" href="#subscribe">Subscribe</a>` : ""}
${description ? html`<p dir="auto">${description}</p>` : ""}</header>`;
}

function footerLinks(base: string): Html {
  return html`<a href="${base}/feed.atom">Atom feed</a><a href="${base}/api/v2/summary.json">JSON</a>`;
}

function head(
  { title, description, summary }: PublicPage,
  { base, url, isEmbedded }: PageAddress & { isEmbedded?: boolean },
): Html {
  const state = `${title}: ${summary}.`;
  const text = description ? `${state} ${description.slice(0, 200)}` : state;
  return html`${isEmbedded ? html`<base target="_blank">\n` : ""}<meta name="description" content="${text}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${text}">
<meta property="og:url" content="${url}">
<meta name="theme-color" content="#f7f8f9" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0e1116" media="(prefers-color-scheme: dark)">
<link rel="canonical" href="${url}">
<link rel="alternate" type="application/atom+xml" title="${title}" href="${base}/feed.atom">`;
}

function overall(page: PublicPage): Html {
  const tone = overallTone(page);
  return html`<div class="overall ${tone}">${icon(tone)}<h2>${page.summary}</h2><p>Last change ${time(page.updatedAt)}</p></div>`;
}

function overallTone({ indicator, components }: PublicPage): Exclude<Tone, "neutral"> {
  if (indicator === "minor") return "minor";
  if (indicator !== "none") return "bad";
  return isUnderMaintenance(indicator, components) ? "planned" : "good";
}

/** Incidents and maintenances that are over, by the day on which they began. */
function pastSection(page: PublicPage, base: string): Html {
  const days = Map.groupBy(pastEvents(page, base), ({ startedAt }) => dayOf(startedAt));
  return html`<section aria-labelledby="past"><h2 id="past">Past incidents and maintenance</h2>
${days.size === 0 ? html`<p class="quiet">None in the last ${String(page.historyDays)} days.</p>` : ""}
${[...days].map(
  ([day, events]) => html`<div class="day"><h3>${fullDate(day)}</h3>
${events.map(({ show }) => show())}</div>`,
)}
</section>`;
}

interface PastEvent {
  startedAt: number;
  show(): Html;
}

/** The newest first. */
function pastEvents({ incidents, maintenances, components }: PublicPage, base: string): PastEvent[] {
  const events = [
    ...incidents
      .filter(({ resolvedAt }) => resolvedAt !== null)
      .map((one) => ({ startedAt: one.startedAt, show: () => pastIncident(one, { components, base }) })),
    ...maintenances
      .filter(({ state }) => state === "ended")
      .map((one) => ({ startedAt: one.startsAt, show: () => maintenanceCard(one, components) })),
  ];
  return events.sort((a, b) => b.startedAt - a.startedAt);
}
