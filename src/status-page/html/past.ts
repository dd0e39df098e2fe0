import { DAY } from "../../domain/duration.ts";
import { localTimeIn } from "../../domain/local-time.ts";
import { fill } from "../../domain/locale-formats.ts";
import type { PublicComponent, PublicMaintenance, PublicPage } from "../../domain/pages/public-page.ts";
import type { PublicMonth } from "../../domain/pages/show-page.ts";
import { type Html, html } from "../../html.ts";
import { fillHtml, type Localization, localizationOf } from "../localization.ts";
import { affected, pastIncident } from "./incidents.ts";
import { time, timeSpan, zoneNote } from "./subscriptions.ts";
import { htmlDocument, type PageAddress } from "./unlock.ts";

/** A window, or the next window of a maintenance that repeats. */
export function maintenanceCard(
  local: Localization,
  maintenance: PublicMaintenance,
  components: readonly PublicComponent[],
): Html {
  const { title, message, state, componentIds } = maintenance;
  const isOver = state === "ended";
  return html`<article class="card event ${isOver ? "" : "open is-planned"}">
<div class="event-head"><h3><bdi>${title}</bdi></h3><span class="pill ${isOver ? "neutral" : "planned"}">${local.texts.maintenanceState[state]}</span></div>
<p class="facts">${when(local, maintenance)}${affected(local, componentIds, components)}</p>
${message === null ? "" : html`<p class="plain" dir="auto">${message}</p>`}
</article>`;
}

/** For example `Tuesdays and Thursdays, 02:00 to 04:00 UTC` and `Next: Dec 1, 02:00 UTC`. */
function when(local: Localization, { state, startsAt, endsAt, repeats }: PublicMaintenance): Html {
  const { texts } = local;
  const span = timeSpan(local, startsAt, endsAt);
  if (state === "ended") return html`<span>${fillHtml(texts.endedMaintenance, { span })}</span>`;
  if (!repeats) return html`<span>${span}</span>`;
  const next = (at: Html) => html`<span>${fillHtml(texts.repeats.next, { time: at })}</span>`;
  const { weekdays, timezone } = repeats;
  if (weekdays === null) return html`<span>${texts.repeats.other}</span>${next(span)}`;
  const days = capitalized(weekdaysInWords(local, weekdays), local.locale);
  const hours = hoursOf(localizationOf(local, timezone), startsAt, endsAt);
  return html`<span>${days}${texts.comma}${hours}</span>${next(time(local, startsAt))}`;
}

function weekdaysInWords({ texts, locale }: Localization, weekdays: readonly number[]): string {
  if (weekdays.length === 7) return texts.repeats.every;
  const names = weekdays.map((day) => texts.repeats.on[day] ?? "");
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(names);
}

function capitalized(text: string, locale: string): string {
  return text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);
}

/** The time of the day, in the zone in which the maintenance repeats. */
function hoursOf(local: Localization, from: number, to: number): string {
  if (to - from >= DAY) return `${local.clock(from)} (${local.duration(to - from, "short")})`;
  return fill(local.texts.span, { from: local.clockWithoutZone(from), to: local.clock(to) });
}

/** Something that is over. */
interface PastEvent {
  startedAt: number;
  show(): Html;
}

/** Incidents and maintenances that are over: of a maintenance that repeats only the last window (behavior 15.105). */
export function pastSection(local: Localization, page: PublicPage, base: string): Html {
  const { texts, plural } = local;
  const ended = page.maintenances.filter(({ state }) => state === "ended");
  const events = eventsOf(local, page, {
    base,
    incidents: page.incidents.filter(({ resolvedAt }) => resolvedAt !== null),
    maintenances: [...Map.groupBy(ended, ({ series }) => series).values()].flatMap((one) => one.slice(0, 1)),
  });
  return html`<section aria-labelledby="past"><h2 id="past">${texts.past}</h2>
${events.length === 0 ? html`<p class="quiet">${plural(texts.noneInDays, page.historyDays)}</p>` : byDay(local, events)}
<p class="months"><a href="${base}/history/${monthOf(local, page.updatedAt)}">${texts.months.link}</a></p>
</section>`;
}

function eventsOf(
  local: Localization,
  page: PublicPage,
  { base, incidents, maintenances }: PublicMonth & { base: string },
): PastEvent[] {
  const { components } = page;
  const linked = new Set(page.incidents.map(({ id }) => id));
  const events = [
    ...incidents.map((one) => ({
      startedAt: one.startedAt,
      show: () => pastIncident(local, one, { components, base: linked.has(one.id) ? base : null }),
    })),
    ...maintenances.map((one) => ({
      startedAt: one.startsAt,
      show: () => maintenanceCard(local, one, components),
    })),
  ];
  return events.sort((a, b) => b.startedAt - a.startedAt);
}

/** By the day on which each began. */
function byDay(local: Localization, events: readonly PastEvent[]): Html {
  const days = Map.groupBy(events, ({ startedAt }) => local.dayOf(startedAt));
  return html`${[...days.values()].map(
    (
      events,
    ) => html`<div class="day"><h3>${events.slice(0, 1).map(({ startedAt }) => html`${local.fullDate(startedAt)}`)}</h3>
${events.map(({ show }) => show())}</div>`,
  )}`;
}

/** For example `2026-11`, in the time zone of a page. */
export function monthOf(local: Localization, at: number): string {
  return local.dayOf(at).slice(0, 7);
}

/** The months that a page has documents of: as long as outages are kept, and no stranger can ask for more. */
const MAX_MONTHS = 24;

/** A month of a page. Times are milliseconds since 1970. */
export interface MonthSpan {
  since: number;
  until: number;
  /** The months beside it that have documents, such as `2026-10`. */
  previous: string | null;
  next: string | null;
}

/** @param month such as `2026-11` @returns null for a month without a document */
export function monthSpan(month: string, timezone: string, now: number): MonthSpan | null {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return null;
  const { shownAt, momentOf } = localTimeIn(timezone);
  const today = new Date(shownAt(now));
  const [year = 0, number = 0] = month.split("-").map(Number);
  const ago = (today.getUTCFullYear() - year) * 12 + today.getUTCMonth() + 1 - number;
  if (ago < 0 || ago >= MAX_MONTHS) return null;
  const startOf = (number: number) => Date.UTC(year, number - 1);
  const named = (number: number) => new Date(startOf(number)).toISOString().slice(0, 7);
  return {
    since: momentOf(startOf(number)),
    until: momentOf(startOf(number + 1)),
    previous: ago + 1 < MAX_MONTHS ? named(number - 1) : null,
    next: ago > 0 ? named(number + 1) : null,
  };
}

/** The document of a month, with all that happened in it (behavior 15.108). @param month such as `2026-11` */
export function renderMonthPage(
  page: PublicPage,
  {
    month,
    span,
    events,
    base,
    url,
    local,
  }: PageAddress & { month: string; span: MonthSpan; events: PublicMonth; local: Localization },
): string {
  const { texts, monthName } = local;
  const title = capitalized(monthName(month), local.locale);
  const shown = eventsOf(local, page, { ...events, base });
  const link = (to: string | null) =>
    to === null
      ? html`<span></span>`
      : html`<a href="${base}/history/${to}">${capitalized(monthName(to), local.locale)}</a>`;
  return htmlDocument({
    title: `${texts.past}${texts.colon}${title} – ${local.isolated(page.title)}`,
    base,
    local,
    head: html`<link rel="canonical" href="${url}/history/${month}">`,
    body: html`<main class="alone"><p class="back"><a href="${base}/"><bdi>${page.title}</bdi></a></p>
<h1>${texts.past}</h1>
<nav class="pages" aria-label="${texts.months.link}">${link(span.previous)}<h2>${title}</h2>${link(span.next)}</nav>
${shown.length === 0 ? html`<p class="quiet">${texts.months.none}</p>` : byDay(local, shown)}
</main>
<footer>${zoneNote(local)}</footer>`,
    page,
  });
}
