import { DAY } from "../../domain/duration.ts";
import { fill } from "../../domain/locale-formats.ts";
import {
  type ComponentStatus,
  isUnderMaintenance,
  worstStatus,
} from "../../domain/pages/component-status.ts";
import {
  DAY_LEVELS,
  type PublicComponent,
  type PublicDay,
  type PublicIncident,
  type PublicPage,
} from "../../domain/pages/public-page.ts";
import { Html, html } from "../../html.ts";
import { logoPath, titleMarkup } from "../feed.ts";
import { fillHtml, type Localization } from "../localization.ts";
import { openIncidents } from "./incidents.ts";
import { maintenanceCard, pastSection } from "./past.ts";
import { subscribePanel, time, zoneNote } from "./subscriptions.ts";
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
${componentSection(local, page, base)}
${maintenanceSection(local, page, { state: "scheduled", title: texts.scheduledMaintenance })}
${pastSection(local, page, base)}
${isEmbedded ? "" : subscribePanel(local, page, { base, canSubscribe })}
</main>
<footer>${zoneNote(local)}${isEmbedded ? "" : html`<a href="${base}/api/v2/summary.json">JSON</a>`}</footer>`;
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
  { base, local }: { base: string; local: Localization },
): Html {
  return html`<header>${logo ? html`<img class="logo" src="${base}${logoPath(logo)}" alt="">` : ""}<h1><bdi>${title}</bdi></h1>
<button type="button" class="theme" aria-pressed="false" title="${local.texts.darkMode}" aria-label="${local.texts.darkMode}" hidden>${icon("theme")}</button><a class="button" href="#subscribe">${local.texts.subscribe.button}</a>
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

/** All components, in their order; components of a group are together under its name. */
function componentSection(local: Localization, page: PublicPage, base: string): Html {
  const { components, uptime, historyDays } = page;
  if (components.length === 0) return html``;
  const context = { local, base, incidentsOf: incidentsByComponent(page) };
  const { texts } = local;
  const whole = uptime === null ? "" : html`<b>${fill(texts.uptime, { uptime: local.percent(uptime) })}</b>`;
  return html`<section aria-labelledby="components"><div class="section-head"><h2 id="components">${texts.components}</h2>${whole}</div>
<div class="scale"><span>${local.daysAgo(historyDays)}</span><span>${texts.today}</span></div>
${runsOf(components).map((run) => card(context, run))}
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

function card(context: RowContext, { group, members }: Run): Html {
  const { local } = context;
  const list = html`<ul>${members.map((member) => row(context, member))}</ul>`;
  if (group === null) return html`<div class="card">${list}</div>`;
  return html`<details class="card group" open>
<summary><h3><bdi>${group}</bdi></h3>${state(local, worstStatus(members))}</summary>
${list}</details>`;
}

function row(context: RowContext, component: PublicComponent): Html {
  const { local } = context;
  const { name, status, since } = component;
  const began = () =>
    html`<span class="since">${fillHtml(local.texts.since, { time: time(local, since) })}</span>`;
  return html`<li class="component">
<div class="component-head"><span class="name"><bdi>${name}</bdi></span>${status === "operational" ? "" : began()}${state(local, status)}</div>
${historyBar(context, component)}</li>
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
const LISTED = 12;

/** The incidents that name a component, by its ID. */
type IncidentsOf = ReadonlyMap<string, readonly PublicIncident[]>;

function incidentsByComponent({ incidents }: PublicPage): IncidentsOf {
  const pairs = incidents.flatMap((incident) => incident.componentIds.map((id) => ({ id, incident })));
  return new Map(
    [...Map.groupBy(pairs, ({ id }) => id)].map(([id, some]) => [id, some.map(({ incident }) => incident)]),
  );
}

/** Values that the rows of all components need. */
interface RowContext {
  local: Localization;
  base: string;
  incidentsOf: IncidentsOf;
}

/** One bar for each day, and in words the days with problems, for those who cannot see or point at the bars. */
function historyBar(context: RowContext, component: PublicComponent): Html {
  const { local } = context;
  const shown = shownDays(context, component);
  const bad = shown.filter(hasTrouble).reverse();
  const problems =
    bad.length === 0
      ? local.texts.noDaysWithProblems
      : local.plural(local.texts.daysWithProblems, bad.length);
  const label = local.plural(local.texts.history, component.days.length, { problems });
  return html`<div class="days" role="group" aria-label="${label}">${bars(context, shown)}</div>
${scale(context, { figures: figures(local, component), bad, problems })}`;
}

/** One string instead of a template for each of thousands of bars. */
function bars(context: RowContext, days: ShownDay[]): Html {
  return new Html(
    days
      .map((day) => {
        const mark = dayMarks[day.level];
        if (hasCard(day)) return dayCard(context, day).markup;
        return `<i${mark && ` class="${mark}"`} data-t="${Bun.escapeHTML(day.text)}"></i>`;
      })
      .join(""),
  );
}

/**
 * @property text for example `Nov 21: Problems, 99.31%`
 * @property downMs for how long it was down on this day @property incidents of this day
 */
interface ShownDay extends Pick<PublicDay, "level"> {
  text: string;
  downMs: number;
  incidents: readonly PublicIncident[];
}

function shownDays({ local, incidentsOf }: RowContext, { id, days, downMs }: PublicComponent): ShownDay[] {
  const { texts, shortDates, percent } = local;
  const { colon, comma, day: labels } = texts;
  const dates = shortDates(days.map(({ date }) => date));
  const own = incidentsOf.get(id) ?? [];
  return days.map(({ date, level, uptime }, at) => {
    const state = `${dates[at]}${colon}${labels[level]}`;
    const text = uptime === null ? state : `${state}${comma}${percent(uptime)}`;
    return {
      level,
      text,
      downMs: downMs[date] ?? 0,
      incidents: own.length > 0 ? incidentsOn(own, date) : own,
    };
  });
}

function incidentsOn(incidents: readonly PublicIncident[], date: string): PublicIncident[] {
  const start = Date.parse(date);
  return incidents.filter(
    ({ startedAt, resolvedAt }) =>
      startedAt < start + DAY && (resolvedAt ?? Number.POSITIVE_INFINITY) >= start,
  );
}

/** Whether there is more to say of a day than its bar does. */
function hasCard({ downMs, incidents }: ShownDay): boolean {
  return downMs > 0 || incidents.length > 0;
}

/** A bar that opens a card with what happened: by tap and by key, and with a pointer or the focus on it (behavior 15.106). */
function dayCard(context: RowContext, day: ShownDay): Html {
  return html`<details class="${dayMarks[day.level]}" name="day"><summary><span class="sr">${day.text}</span></summary><div class="tip"><b>${day.text}</b>${happenings(context, day)}</div></details>`;
}

/** For how long a component was down on a day, and links to the incidents of the day. */
function happenings({ local, base }: RowContext, { downMs, incidents }: ShownDay): Html {
  const length = () => fill(local.texts.downtime, { duration: local.duration(downMs, "short") });
  return html`${downMs > 0 ? html`<span>${length()}</span>` : ""}${incidents.map(
    (incident) => html`<a href="${base}/incidents/${incident.id}">${titleMarkup(local, incident)}</a>`,
  )}`;
}

function figures({ texts, percent, latency }: Localization, { uptime, latencyMs }: PublicComponent): Html[] {
  return [
    html`<b>${uptime === null ? texts.noDataYet : fill(texts.uptime, { uptime: percent(uptime) })}</b>`,
    ...(latencyMs === null ? [] : [html` · <span title="${texts.meanLatency}">${latency(latencyMs)}</span>`]),
  ];
}

interface Scale {
  figures: Html[];
  bad: ShownDay[];
  problems: string;
}

/** The line below the bars, which opens the list of the days with problems. */
function scale(context: RowContext, { figures, bad, problems }: Scale): Html {
  if (bad.length === 0) return html`<div class="figures">${figures}</div>`;
  const { texts, plural } = context.local;
  const rest = bad.length - LISTED;
  return html`<details class="trouble">
<summary class="figures">${figures} · <span class="more">${problems}</span></summary>
<ul>${bad.slice(0, LISTED).map((day) => html`<li>${day.text}${happenings(context, day)}</li>`)}${rest > 0 ? html`<li>${plural(texts.andEarlier, rest)}</li>` : ""}</ul></details>`;
}

function hasTrouble({ level }: ShownDay): boolean {
  return level === "partial" || level === "down";
}
