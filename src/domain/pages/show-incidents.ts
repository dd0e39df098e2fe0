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
import type { IncidentFacts, OutageFacts, PageFacts } from "./page-facts.ts";
import type { PublicIncident } from "./public-page.ts";
import { windowEnd } from "./show-maintenances.ts";

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
export function showIncidents(facts: PageFacts, now: number): ShownIncidents {
  const { minOutage } = facts.page;
  const outages = facts.outages.map((outage) => measured(facts, outage));
  const shown = outages
    .filter((outage) => isLong(outage, { minOutage, now }))
    .map((outage) => ({ outage, view: viewOf(outage, minOutage, now) }));
  const written = byState(facts.incidents.map(showWritten));
  const automatic = byState(shown.flatMap((one) => showOutage(facts, one)));
  const listed = byState([...automatic.open, ...automatic.ended].slice(0, MAX_OUTAGES));
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

/** The open ones and the ended ones, each part the latest first. */
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
