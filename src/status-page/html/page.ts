import { isUnderMaintenance } from "../../domain/pages/component-status.ts";
import type { PublicPage } from "../../domain/pages/public-page.ts";
import { type Html, html } from "../../html.ts";
import type { Localization } from "../localization.ts";
import { logoPath } from "../logo-path.ts";
import { fillHtml } from "../template.ts";
import { componentSection } from "./components.ts";
import { htmlDocument, type PageAddress } from "./document.ts";
import { openIncidents, pastIncident } from "./incidents.ts";
import { maintenanceCard, maintenanceSection } from "./maintenances.ts";
import { footerLinks, zoneNote } from "./page-footer.ts";
import { subscribePanel } from "./subscriptions.ts";
import { time } from "./time.ts";
import { icon, type Tone } from "./tones.ts";

/**
 * The public page, which works without its script (behavior 15.40).
 *
 * @param local of its reader, in the time zone of the page
 * @param canSubscribe whether the server can send e-mails
 * @param isEmbedded for a frame in another page (behavior 17.27)
 */
export function renderPage(
  page: PublicPage,
  options: PageAddress & { local: Localization; canSubscribe: boolean; isEmbedded?: boolean },
): string {
  const { base, local, canSubscribe, isEmbedded = false } = options;
  const { texts } = local;
  const body = html`${isEmbedded ? "" : header(page, options)}
<main${isEmbedded ? html` class="embedded"` : ""}>
${overall(local, page)}
${openIncidents(local, page, base)}
${maintenanceSection(local, page, { state: "active", title: texts.maintenanceInProgress })}
${componentSection(local, page.components)}
${maintenanceSection(local, page, { state: "scheduled", title: texts.scheduledMaintenance })}
${pastSection(local, page, base)}
${canSubscribe && !isEmbedded ? subscribePanel(local, base) : ""}
</main>
<footer>${zoneNote(local)}${isEmbedded ? "" : footerLinks(local, base)}</footer>`;
  return htmlDocument({
    title: `${summary(local, page)} – ${local.isolated(page.title)}`,
    base,
    local,
    head: head(page, options),
    body,
    page,
  });
}

function summary({ texts }: Localization, { indicator, components }: PublicPage): string {
  return texts.summary[isUnderMaintenance(indicator, components) ? "maintenance" : indicator];
}

function header(
  { title, description, logo }: PublicPage,
  { base, local, canSubscribe }: { base: string; local: Localization; canSubscribe: boolean },
): Html {
  return html`<header>${logo ? html`<img class="logo" src="${base}${logoPath(logo)}" alt="">` : ""}<h1><bdi>${title}</bdi></h1>
${canSubscribe ? html`<a class="button" href="#subscribe">${local.texts.subscribe.button}</a>` : ""}
${description ? html`<p dir="auto">${description}</p>` : ""}</header>`;
}

function head(
  page: PublicPage,
  { base, url, local, isEmbedded }: PageAddress & { local: Localization; isEmbedded?: boolean },
): Html {
  const { title, description } = page;
  const state = `${local.isolated(title)}${local.texts.colon}${summary(local, page)}`;
  const text = description ? `${state} – ${local.isolated(description.slice(0, 200))}` : state;
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

function overall(local: Localization, page: PublicPage): Html {
  const tone = overallTone(page);
  const changed = fillHtml(local.texts.lastChange, { time: time(local, page.updatedAt) });
  return html`<div class="overall ${tone}">${icon(tone)}<h2>${summary(local, page)}</h2><p>${changed}</p></div>`;
}

function overallTone({ indicator, components }: PublicPage): Exclude<Tone, "neutral"> {
  if (indicator === "minor") return "minor";
  if (indicator !== "none") return "bad";
  return isUnderMaintenance(indicator, components) ? "planned" : "good";
}

/** Incidents and maintenances that are over, by the day on which they began. */
function pastSection(local: Localization, page: PublicPage, base: string): Html {
  const { texts, plural, fullDate } = local;
  const days = Map.groupBy(pastEvents(local, page, base), ({ startedAt }) => local.dayOf(startedAt));
  return html`<section aria-labelledby="past"><h2 id="past">${texts.past}</h2>
${days.size === 0 ? html`<p class="quiet">${plural(texts.noneInDays, page.historyDays)}</p>` : ""}
${[...days.values()].map(
  (
    events,
  ) => html`<div class="day"><h3>${events.slice(0, 1).map(({ startedAt }) => html`${fullDate(startedAt)}`)}</h3>
${events.map(({ show }) => show())}</div>`,
)}
</section>`;
}

interface PastEvent {
  startedAt: number;
  show(): Html;
}

/** The newest first. */
function pastEvents(
  local: Localization,
  { incidents, maintenances, components }: PublicPage,
  base: string,
): PastEvent[] {
  const events = [
    ...incidents
      .filter(({ resolvedAt }) => resolvedAt !== null)
      .map((one) => ({
        startedAt: one.startedAt,
        show: () => pastIncident(local, one, { components, base }),
      })),
    ...maintenances
      .filter(({ state }) => state === "ended")
      .map((one) => ({ startedAt: one.startsAt, show: () => maintenanceCard(local, one, components) })),
  ];
  return events.sort((a, b) => b.startedAt - a.startedAt);
}
