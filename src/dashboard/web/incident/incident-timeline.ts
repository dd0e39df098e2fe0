import type { Incident, PageOutage } from "../data/api.ts";

/** What the list shows: an incident that people wrote, or an outage that shows by itself. */
export type Entry = { incident: Incident } | { outage: PageOutage };

/** The entries of the list, the latest first in each part. Outages that are incidents are left out. */
export function entriesOf(
  incidents: readonly Incident[],
  outages: readonly PageOutage[],
): { open: Entry[]; ended: Entry[] } {
  const entries: Entry[] = [
    ...incidents.map((incident) => ({ incident })),
    ...outages.filter(({ incidentId }) => incidentId === null).map((outage) => ({ outage })),
  ];
  const latestFirst = entries.toSorted((one, other) => startOf(other) - startOf(one));
  return {
    open: latestFirst.filter((entry) => endOf(entry) === null),
    ended: latestFirst.filter((entry) => endOf(entry) !== null),
  };
}

function startOf(entry: Entry): number {
  return Date.parse("incident" in entry ? entry.incident.startedAt : entry.outage.startedAt);
}

function endOf(entry: Entry): string | null {
  return "incident" in entry ? entry.incident.resolvedAt : entry.outage.endedAt;
}
