import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import type { Impact } from "../../../domain/pages/incident.ts";
import { outageTitle } from "../../../domain/pages/outage-view.ts";
import type { Incident, Page, PageOutage } from "../data/api.ts";

export const impactLabels: Record<Impact, string> = {
  none: "No impact",
  minor: "Minor impact",
  major: "Major impact",
  critical: "Critical impact",
};

const IMPACT_STATES: Record<Impact, DisplayState> = {
  none: "waiting",
  minor: "warning",
  major: "down",
  critical: "down",
};

/** The mark beside an incident. */
export function stateOf({ impact, resolvedAt }: Pick<Incident, "impact" | "resolvedAt">): DisplayState {
  return resolvedAt === null ? IMPACT_STATES[impact] : "healthy";
}

/** The names of the components of a page, as it shows them, by ID. @param names of monitors, by ID */
export function componentNames(
  { components }: Pick<Page, "components">,
  names: ReadonlyMap<string, string>,
): Map<string, string> {
  return new Map(components.map(({ id, monitorId, name }) => [id, name ?? names.get(monitorId) ?? "…"]));
}

/** The names of some components in one line. */
export function listNames(ids: readonly string[], names: ReadonlyMap<string, string>): string {
  return ids.flatMap((id) => names.get(id) ?? []).join(", ");
}

/** Title and impact of an outage on the public page (behavior 15.26). */
export function describeOutage(
  { isDown, componentIds }: Pick<PageOutage, "isDown" | "componentIds">,
  names: ReadonlyMap<string, string>,
): { title: string; impact: Impact } {
  const name = names.get(componentIds[0] ?? "") ?? "…";
  return { title: outageTitle(name, isDown), impact: isDown ? "major" : "minor" };
}

/** An item of the list: an incident that people wrote, or an outage that shows by itself. */
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
