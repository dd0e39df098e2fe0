import { DAY, MINUTE } from "../duration.ts";
import { dayOf } from "../results/rollup.ts";
import { percentage, type StatusCount, sumByStatus, uptime } from "../results/uptime.ts";
import {
  type ComponentFacts,
  componentStatus,
  createDays,
  firstDay,
  type IncidentFacts,
  indicatorOf,
  type OutageFacts,
  type PageFacts,
  type SettledHistory,
  summaryOf,
  withToday,
} from "./component-status.ts";
import { type IncidentUpdate, incidentStatus } from "./incident.ts";
import {
  degradedText,
  endText,
  isLong,
  longDownFrom,
  longFrom,
  type OutageView,
  outageTitle,
  startText,
  type ViewedOutage,
  viewOf,
} from "./outage-view.ts";
import { parseLogo } from "./page-look.ts";
import type {
  PublicComponent,
  PublicDay,
  PublicIncident,
  PublicMaintenance,
  PublicPage,
} from "./public-page.ts";
import { endedSince, showMaintenances, windowEnd } from "./show-maintenances.ts";

/** @property validUntil the next moment at which time alone may change the page, in milliseconds since 1970 */
export interface ShownPage {
  page: PublicPage;
  validUntil: number;
}

/** How long uptimes and latencies are shown without being read again, in milliseconds (behavior 15.29). */
const FIGURES_FOR = 60_000;

/**
 * The public view of a page at a moment (behavior 15.20 to 15.31).
 *
 * @param facts read at `now` or just before it @param settled of all monitors of the page, until the start of yesterday
 */
export function showPage(facts: PageFacts, settled: SettledHistory, now: number): ShownPage {
  const { page } = facts;
  const maintenances = showMaintenances(facts, now);
  const components = showComponents(facts, { settled, maintenances: maintenances.items, now });
  const incidents = showIncidents(facts, now);
  const indicator = indicatorOf(components, incidents.open);
  return {
    page: {
      id: page.id,
      slug: page.slug,
      title: page.title,
      description: page.description,
      passwordHash: page.passwordHash,
      historyDays: page.days,
      showLatency: page.showLatency,
      accent: page.accent,
      logo: parseLogo(page.logo),
      embedOrigins: page.embedOrigins,
      language: page.language,
      timezone: page.timezone,
      updatedAt: lastChange(facts, [...maintenances.changes, ...incidents.changes], now),
      indicator,
      summary: summaryOf(indicator, components),
      uptime: meanUptime(components),
      components,
      incidents: incidents.items,
      maintenances: maintenances.items,
    },
    validUntil: Math.min(now + FIGURES_FOR, dayOf(now) + DAY, maintenances.nextChange, incidents.nextChange),
  };
}

function lastChange({ page, components }: PageFacts, changes: readonly number[], now: number): number {
  const ofComponents = components.flatMap(({ statusSince, editedAt }) => [statusSince ?? 0, editedAt]);
  const past = [...ofComponents, ...changes].filter((at) => at <= now);
  return past.reduce((latest, at) => Math.max(latest, at), page.updatedAt);
}

/** Each component counts the same, however often it is checked. Rounded down as each of them, so that 100 % means no bad result. */
function meanUptime(components: readonly PublicComponent[]): string | null {
  const hundredths = components.flatMap(({ uptime }) =>
    uptime === null ? [] : [Math.round(Number.parseFloat(uptime) * 100)],
  );
  const sum = hundredths.reduce((total, one) => total + one, 0);
  return hundredths.length === 0 ? null : percentage(sum, hundredths.length * 10_000);
}

/** Values that all components of a page share. */
interface Shared {
  settled: SettledHistory;
  downsOf: (monitorId: string) => Readonly<Record<string, number>>;
  /** Shows yesterday and today. */
  showLatest: (counts: readonly StatusCount[]) => PublicDay[];
  maintenances: readonly PublicMaintenance[];
}

/** The components in the order in which the page shows them (behavior 15.20 to 15.22, 15.27). @property settled until yesterday */
function showComponents(
  facts: PageFacts,
  {
    settled,
    maintenances,
    now,
  }: { settled: SettledHistory; maintenances: readonly PublicMaintenance[]; now: number },
): PublicComponent[] {
  const showLatest = createDays({ since: settled.until, until: settled.until + 2 * DAY });
  const downsOf = downsByDay(facts, now);
  return inGroups(facts.components).map((component) =>
    showComponent(component, { settled, downsOf, showLatest, maintenances }),
  );
}

const NEVER_DOWN = {};

/** For how long each monitor was down on each day (UTC), in the outages that a page shows. */
function downsByDay(facts: PageFacts, now: number): Shared["downsOf"] {
  const first = firstDay(facts.page.days, now);
  // Whole minutes, so that an outage that continues does not change the page each second.
  const until = now - (now % MINUTE);
  const byMonitor = new Map<string, Record<string, number>>();
  for (const outage of facts.outages.map((one) => measured(facts, one))) {
    if (!isLong(outage, { minOutage: facts.page.minOutage, now })) continue;
    const days = byMonitor.get(outage.monitorId) ?? {};
    byMonitor.set(outage.monitorId, days);
    const from = Math.max(first, outage.startedAt, outage.windowEndsAt ?? 0);
    for (const down of outage.downs) addDays(days, Math.max(from, down.from), down.to ?? until);
  }
  return (monitorId) => byMonitor.get(monitorId) ?? NEVER_DOWN;
}

function addDays(days: Record<string, number>, from: number, to: number): void {
  for (let start = from; start < to; ) {
    const end = Math.min(to, dayOf(start) + DAY);
    const date = new Date(start).toISOString().slice(0, 10);
    days[date] = (days[date] ?? 0) + end - start;
    start = end;
  }
}

/** Components of one group follow each other, at the place of the first of them. */
function inGroups(components: readonly ComponentFacts[]): ComponentFacts[] {
  return [...Map.groupBy(components, ({ id, group }) => group?.name ?? { id }).values()].flat();
}

function showComponent(
  component: ComponentFacts,
  { settled, downsOf, showLatest, maintenances }: Shared,
): PublicComponent {
  const { id, name, group, createdAt, latestCounts, latencyMs } = component;
  const own = maintenances.filter(({ componentIds }) => componentIds.includes(id));
  const past = settled.byMonitor.get(component.monitorId);
  const status = componentStatus({ ...component, isMaintained: own.some(({ state }) => state === "active") });
  return {
    ...{ id, name, group },
    status,
    since: sinceOf(component, own),
    createdAt,
    uptime: uptime(sumByStatus(latestCounts, past?.counts)),
    days: withToday([...(past?.days ?? []), ...showLatest(latestCounts)], status),
    downMs: downsOf(component.monitorId),
    latencyMs,
  };
}

/** The end of a window is a change of the status too. */
function sinceOf(
  { enabled, statusSince, createdAt }: ComponentFacts,
  maintenances: readonly PublicMaintenance[],
): number {
  const changed = statusSince ?? createdAt;
  if (!enabled) return changed;
  const starts = maintenances.flatMap(({ state, startsAt }) => (state === "active" ? [startsAt] : []));
  if (starts.length > 0) return Math.min(...starts);
  const ends = maintenances.flatMap(({ state, endsAt }) => (state === "ended" ? [endsAt] : []));
  return Math.max(changed, ...ends);
}

/** @property open all open ones @property changes when they began to be shown and ended @property nextChange infinite without one */
interface ShownIncidents {
  items: PublicIncident[];
  open: PublicIncident[];
  changes: number[];
  nextChange: number;
}

/** The most outages, open and ended ones together. An incident that people wrote is never left out for them. */
const MAX_OUTAGES = 50;

/** Incidents that people wrote, and outages that last longer than `minOutage` (behavior 15.25, 15.26). */
function showIncidents(facts: PageFacts, now: number, most = MAX_OUTAGES): ShownIncidents {
  const { minOutage } = facts.page;
  const automaticOnes = facts.outages.filter(({ isWritten }) => !isWritten);
  const outages = automaticOnes.map((outage) => measured(facts, outage));
  const shown = outages
    .filter((outage) => isLong(outage, { minOutage, now }))
    .map((outage) => ({ outage, view: viewOf(outage, minOutage, now) }));
  const written = byState(facts.incidents.map(showWritten));
  const automatic = byState(shown.flatMap((one) => showOutage(facts, one)));
  const listed = byState([...automatic.open, ...automatic.ended].slice(0, most));
  const changes = outages
    .filter(({ endedAt }) => endedAt === null)
    .flatMap((outage) => [longFrom(outage, minOutage), longDownFrom(outage, minOutage)]);
  return {
    items: [...written.open, ...listed.open, ...[...written.ended, ...listed.ended].sort(byStart)],
    open: [...written.open, ...automatic.open],
    changes: [
      ...facts.incidents.map(({ updatedAt }) => updatedAt),
      ...shown.map(({ outage, view }) => outage.endedAt ?? view.downUntil ?? view.changedAt),
    ],
    nextChange: Math.min(Number.POSITIVE_INFINITY, ...changes.filter((at) => at > now)),
  };
}

/** Incidents and ended windows of a month, each part the latest first (behavior 15.108). */
export interface PublicMonth {
  incidents: PublicIncident[];
  maintenances: PublicMaintenance[];
}

/** The month of a page. @param facts of the month alone @param since its start */
export function showMonth(
  facts: PageFacts,
  { since, until }: { since: number; until: number },
  now: number,
): PublicMonth {
  const { items } = showIncidents(facts, now, Number.POSITIVE_INFINITY);
  return {
    incidents: items
      .filter(({ startedAt, resolvedAt }) => startedAt < until && (resolvedAt ?? now) >= since)
      .sort(byStart),
    maintenances: endedSince(facts, since, now).filter(({ startsAt }) => startsAt < until),
  };
}

/** Open incidents and ended incidents, each part the latest first. */
function byState(incidents: readonly PublicIncident[]): { open: PublicIncident[]; ended: PublicIncident[] } {
  const sorted = incidents.toSorted(byStart);
  return {
    open: sorted.filter(({ resolvedAt }) => resolvedAt === null),
    ended: sorted.filter(({ resolvedAt }) => resolvedAt !== null),
  };
}

type MeasuredFacts = OutageFacts & ViewedOutage;

/** An outage with the end of the window in which it began. */
function measured({ maintenances }: PageFacts, outage: OutageFacts): MeasuredFacts {
  const maintenance = maintenances.find(({ id }) => id === outage.maintenanceId);
  // The window is open, or its end is noticed a little later.
  const planned = maintenance && windowEnd(maintenance, outage.startedAt);
  return { ...outage, windowEndsAt: outage.windowEndedAt ?? planned ?? undefined };
}

function showWritten({ id, title, impact, componentIds, ...incident }: IncidentFacts): PublicIncident {
  const { startedAt, resolvedAt, updatedAt, updates } = incident;
  const status = incidentStatus(incident);
  return {
    ...{ id, outage: null, title, impact, status, componentIds },
    ...{ startedAt, resolvedAt, updatedAt, updates },
  };
}

/** @returns none if its monitor is no component any more */
function showOutage(
  { components }: PageFacts,
  { outage, view }: { outage: OutageFacts; view: OutageView },
): PublicIncident[] {
  const own = components.filter(({ monitorId }) => monitorId === outage.monitorId);
  const [component] = own;
  if (!component) return [];
  const [latest, ...earlier] = updatesOf(outage, view);
  return [
    {
      id: outage.id,
      outage: { component: component.name, isDown: view.isDown, lengthMs: settledLength(outage, view) },
      title: outageTitle(component.name, view.isDown),
      impact: view.isDown ? "major" : "minor",
      status: latest.status,
      componentIds: own.map(({ id }) => id),
      startedAt: view.startedAt,
      resolvedAt: view.endedAt,
      updatedAt: outage.endedAt ?? latest.createdAt,
      updates: [latest, ...earlier],
    },
  ];
}

/** A length that grows would make the page another one each time it is read. */
function settledLength({ endedAt }: OutageFacts, { lengthMs, downUntil }: OutageView): number {
  return endedAt === null && downUntil === null ? 0 : lengthMs;
}

/** Generated updates of an outage, the newest first. */
function updatesOf(
  { id }: OutageFacts,
  { isDown, startedAt, endedAt, lengthMs, downUntil }: OutageView,
): [IncidentUpdate, ...IncidentUpdate[]] {
  const body = startText(isDown, startedAt);
  const start: IncidentUpdate = {
    ...{ id: `${id}1`, status: "investigating", body },
    ...{ createdAt: startedAt, editedAt: null },
  };
  if (downUntil !== null) {
    const later = { id: `${id}3`, status: "monitoring", body: degradedText(lengthMs) } as const;
    return [{ ...later, createdAt: downUntil, editedAt: null }, start];
  }
  if (endedAt === null) return [start];
  const end = { id: `${id}2`, status: "resolved", body: endText(lengthMs) } as const;
  return [{ ...end, createdAt: endedAt, editedAt: null }, start];
}

function byStart(one: PublicIncident, other: PublicIncident): number {
  return other.startedAt - one.startedAt || (one.id < other.id ? -1 : 1);
}
