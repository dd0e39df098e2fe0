import { groupOf } from "../monitors/status.ts";
import { type IncidentUpdate, incidentStatus } from "./incident.ts";
import { longFrom } from "./outage-length.ts";
import { endText, outageTitle, startText } from "./outage-text.ts";
import type { ComponentFacts, IncidentFacts, OutageFacts, PageFacts } from "./page-facts.ts";
import type { PublicIncident } from "./public-page.ts";
import { windowEnd } from "./show-maintenances.ts";

/** @property open all open ones @property changes when they began to be shown and ended @property nextChange infinite without one */
export interface ShownIncidents {
  items: PublicIncident[];
  open: PublicIncident[];
  changes: number[];
  nextChange: number;
}

/** Open and ended ones together. */
const MOST = 50;

/** Incidents that people wrote, and outages that last longer than `minOutage` (behavior 15.25, 15.26). */
export function showIncidents(facts: PageFacts, now: number): ShownIncidents {
  const outages = facts.outages.map((outage) => ({ outage, shownFrom: shownFrom(facts, outage) }));
  const shown = outages.filter(({ outage, shownFrom }) => shownFrom <= (outage.endedAt ?? now));
  const written = facts.incidents.map(showWritten);
  const all = [...written, ...shown.flatMap(({ outage }) => showOutage(facts, outage))].sort(byStart);
  const open = all.filter(({ resolvedAt }) => resolvedAt === null);
  const ended = all.filter(({ resolvedAt }) => resolvedAt !== null);
  const waiting = outages.filter(({ outage, shownFrom }) => outage.endedAt === null && shownFrom > now);
  return {
    items: [...open, ...ended].slice(0, MOST),
    open,
    changes: [
      ...written.map(({ updatedAt }) => updatedAt),
      ...shown.map(({ outage, shownFrom }) => outage.endedAt ?? shownFrom),
    ],
    nextChange: Math.min(Number.POSITIVE_INFINITY, ...waiting.map(({ shownFrom }) => shownFrom)),
  };
}

/** The first moment at which an outage that lasts until then is shown. */
function shownFrom(
  { page, maintenances }: PageFacts,
  { startedAt, endedAt, ...outage }: OutageFacts,
): number {
  const maintenance = maintenances.find(({ id }) => id === outage.maintenanceId);
  // The window is open, or its end is noticed a little later.
  const planned = maintenance && windowEnd(maintenance, startedAt);
  const windowEndsAt = outage.windowEndedAt ?? planned ?? undefined;
  return longFrom({ startedAt, endedAt, windowEndsAt }, page.minOutage);
}

function showWritten({ id, title, impact, componentIds, ...incident }: IncidentFacts): PublicIncident {
  const { startedAt, resolvedAt, updatedAt, updates } = incident;
  const status = incidentStatus(incident);
  return {
    ...{ id, kind: "written", title, impact, status, componentIds },
    ...{ startedAt, resolvedAt, updatedAt, updates },
  };
}

/** @returns none if its monitor is no component any more */
function showOutage({ components }: PageFacts, outage: OutageFacts): PublicIncident[] {
  const own = components.filter(({ monitorId }) => monitorId === outage.monitorId);
  const [component] = own;
  return component ? [incidentOf(outage, component, own)] : [];
}

function incidentOf(
  outage: OutageFacts,
  { name }: ComponentFacts,
  components: readonly ComponentFacts[],
): PublicIncident {
  const { id, startedAt, endedAt } = outage;
  const isDown = groupOf(outage.status) === "down";
  return {
    id,
    kind: "outage",
    title: outageTitle(name, isDown),
    impact: isDown ? "major" : "minor",
    status: endedAt === null ? "investigating" : "resolved",
    componentIds: components.map((component) => component.id),
    startedAt,
    resolvedAt: endedAt,
    updatedAt: endedAt ?? startedAt,
    updates: updatesOf(outage, isDown),
  };
}

/** What a person would have written, the newest first. */
function updatesOf({ id, startedAt, endedAt }: OutageFacts, isDown: boolean): IncidentUpdate[] {
  const start = { id: `${id}1`, status: "investigating", body: startText(isDown, startedAt) } as const;
  const updates: IncidentUpdate[] = [{ ...start, createdAt: startedAt }];
  if (endedAt === null) return updates;
  const end = { id: `${id}2`, status: "resolved", body: endText(endedAt - startedAt) } as const;
  return [{ ...end, createdAt: endedAt }, ...updates];
}

function byStart(one: PublicIncident, other: PublicIncident): number {
  return other.startedAt - one.startedAt || (one.id < other.id ? -1 : 1);
}
