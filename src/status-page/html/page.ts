import {
  type ComponentStatus,
  isUnderMaintenance,
  worstStatus,
} from "../../domain/pages/component-status.ts";
import {
  DAY_LEVELS,
  type PublicComponent,
  type PublicDay,
  type PublicMaintenance,
  type PublicPage,
} from "../../domain/pages/public-page.ts";
import { Html, html } from "../../html.ts";
import { logoPath } from "../feed.ts";
import { fill, fillHtml, type Localization } from "../localization.ts";
import { affected, openIncidents, pastIncident } from "./incidents.ts";
import { footerLinks, subscribePanel, time, timeSpan, zoneNote } from "./subscriptions.ts";
import { componentTones, dayMarks, htmlDocument, icon, type PageAddress, type Tone } from "./unlock.ts";

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

/** The windows of one state, under a heading. */
function maintenanceSection(
  local: Localization,
  { maintenances, components }: PublicPage,
  { state, title }: { state: "active" | "scheduled"; title: string },
): Html {
  const shown = maintenances.filter((maintenance) => maintenance.state === state);
  if (shown.length === 0) return html``;
  return html`<section aria-labelledby="${state}"><h2 id="${state}">${title}</h2>
${shown.map((maintenance) => maintenanceCard(local, maintenance, components))}
</section>`;
}

function maintenanceCard(
  local: Localization,
  maintenance: PublicMaintenance,
  components: PublicComponent[],
): Html {
  const { title, message, state, startsAt, endsAt, componentIds } = maintenance;
  const { texts } = local;
  const isOver = state === "ended";
  const span = timeSpan(local, startsAt, endsAt);
  return html`<article class="card event ${isOver ? "" : "open is-planned"}">
<div class="event-head"><h3><bdi>${title}</bdi></h3><span class="pill ${isOver ? "neutral" : "planned"}">${texts.maintenanceState[state]}</span></div>
<p class="facts"><span>${isOver ? fillHtml(texts.endedMaintenance, { span }) : span}</span>${affected(local, componentIds, components)}</p>
${message === null ? "" : html`<p class="plain" dir="auto">${message}</p>`}
</article>`;
}

/** All components, in their order; components of a group are together under its name. */
function componentSection(local: Localization, components: PublicComponent[]): Html {
  if (components.length === 0) return html``;
  return html`<section aria-labelledby="components"><h2 id="components">${local.texts.components}</h2>
${runsOf(components).map((run) => card(local, run))}
${legend(local)}
</section>`;
}

interface Run {
  /** Null for components without a group. */
  group: string | null;
  members: PublicComponent[];
}

/** Neighbors with the same group, or without one. */
function runsOf(components: PublicComponent[]): Run[] {
  const runs: Run[] = [];
  let previous: string | null | undefined;
  for (const component of components) {
    const id = component.group?.id ?? null;
    if (id !== previous) runs.push({ group: component.group?.name ?? null, members: [] });
    runs.at(-1)?.members.push(component);
    previous = id;
  }
  return runs;
}

function card(local: Localization, { group, members }: Run): Html {
  const list = html`<ul>${members.map((member) => row(local, member))}</ul>`;
  if (group === null) return html`<div class="card">${list}</div>`;
  return html`<details class="card group" open>
<summary><h3><bdi>${group}</bdi></h3>${state(local, worstStatus(members))}</summary>
${list}</details>`;
}

function row(local: Localization, component: PublicComponent): Html {
  const { name, status, since } = component;
  const began = () =>
    html`<span class="since">${fillHtml(local.texts.since, { time: time(local, since) })}</span>`;
  return html`<li class="component">
<div class="component-head"><span class="name"><bdi>${name}</bdi></span>${status === "operational" ? "" : began()}${state(local, status)}</div>
${historyBar(local, component)}</li>
`;
}

function state({ texts }: Localization, status: ComponentStatus): Html {
  const tone = componentTones[status];
  return html`<span class="state ${tone}">${icon(tone)}${texts.componentStatus[status]}</span>`;
}

function legend({ texts }: Localization): Html {
  return html`<ul class="legend" aria-label="${texts.colorsOfDays}">${DAY_LEVELS.toReversed().map(
    (level) => html`<li><span class="days"><i class="${dayMarks[level]}"></i></span>${texts.day[level]}</li>`,
  )}<li>${texts.utcDays}</li></ul>`;
}

/** Maximum days with problems in the list: with all of them, the largest pages would exceed the size of behavior 15.43. */
const LISTED = 20;

/** One bar for each day, and in words the days with problems, for those who cannot see or point at the bars. */
function historyBar(local: Localization, component: PublicComponent): Html {
  const { days } = component;
  const shown = shownDays(local, days);
  const bad = shown.filter(hasTrouble).reverse();
  const problems = countDays(local, bad.length);
  const label = local.plural(local.texts.history, days.length, { problems });
  return html`<div class="days" role="img" aria-label="${label}">${bars(shown)}</div>
${scale(local, { days: days.length, figures: figures(local, component), bad, problems })}`;
}

/** One string instead of a template for each of thousands of bars. */
function bars(days: ShownDay[]): Html {
  return new Html(
    days
      .map(({ level, text }) => {
        const mark = dayMarks[level];
        return `<i${mark && ` class="${mark}"`} data-t="${Bun.escapeHTML(text)}"></i>`;
      })
      .join(""),
  );
}

/** @property text for example `Nov 21: Problems, 99.31%` */
interface ShownDay extends Pick<PublicDay, "level"> {
  text: string;
}

function shownDays({ texts, shortDates, percent }: Localization, days: PublicDay[]): ShownDay[] {
  const { colon, comma, day: labels } = texts;
  const dates = shortDates(days.map(({ date }) => date));
  return days.map(({ level, uptime }, at) => {
    const state = `${dates[at]}${colon}${labels[level]}`;
    return { level, text: uptime === null ? state : `${state}${comma}${percent(uptime)}` };
  });
}

function figures({ texts, percent, latency }: Localization, { uptime, latencyMs }: PublicComponent): Html[] {
  return [
    html`<b>${uptime === null ? texts.noDataYet : fill(texts.uptime, { uptime: percent(uptime) })}</b>`,
    ...(latencyMs === null ? [] : [html` · <span title="${texts.meanLatency}">${latency(latencyMs)}</span>`]),
  ];
}

interface Scale {
  days: number;
  figures: Html[];
  bad: ShownDay[];
  problems: string;
}

/** The line below the bars, which opens the list of the days with problems. */
function scale(local: Localization, { days, figures, bad, problems }: Scale): Html {
  const { texts } = local;
  const from = html`<span>${local.daysAgo(days)}</span>`;
  const to = html`<span>${texts.today}</span>`;
  if (bad.length === 0)
    return html`<div class="scale">${from}<span class="figures">${figures}</span>${to}</div>`;
  const rest = bad.length - LISTED;
  return html`<details class="trouble">
<summary class="scale">${from}<span class="figures">${figures} · <span class="more">${problems}</span></span>${to}</summary>
<ul>${bad.slice(0, LISTED).map(({ text }) => html`<li>${text}</li>`)}${rest > 0 ? html`<li>${local.plural(texts.andEarlier, rest)}</li>` : ""}</ul></details>`;
}

function hasTrouble({ level }: ShownDay): boolean {
  return level === "partial" || level === "down";
}

function countDays({ texts, plural }: Localization, count: number): string {
  return count === 0 ? texts.noDaysWithProblems : plural(texts.daysWithProblems, count);
}
