import { Type } from "@sinclair/typebox";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import type { Impact, IncidentStatus } from "../../../domain/pages/incident.ts";
import type { NewIncident, NewIncidentUpdate } from "../../../domain/pages/incident-request.ts";
import { Name } from "../../../domain/schemas/format.ts";
import { faults, type SaidFault } from "../../../domain/schemas/validation.ts";
import { api, getData, type Incident, type Page, type PageOutage } from "../data/api.ts";
import { monitorNamesQuery } from "../data/monitor-lists.ts";
import { queryKeys } from "../data/query-keys.ts";
import { checkedValues, rawTextOf, textOf } from "../form/field-errors.ts";
import { pageFault } from "../form/page-fault.ts";
import { fill, texts } from "../languages/texts.ts";
import { pageQuery } from "../pages/page-fields.tsx";

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
  return ids.flatMap((id) => names.get(id) ?? []).join(texts.common.comma);
}

/** Title and impact of an outage on the public page (behavior 15.26). */
export function describeOutage(
  { isDown, componentIds }: Pick<PageOutage, "isDown" | "componentIds">,
  names: ReadonlyMap<string, string>,
): { title: string; impact: Impact } {
  const name = names.get(componentIds[0] ?? "") ?? "…";
  const { titleOfDown, titleOfDegraded } = texts.incidents.outage;
  const title = fill(isDown ? titleOfDown : titleOfDegraded, { name });
  return { title, impact: isDown ? "major" : "minor" };
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

/* The controls allow only values that the API accepts, except in the title and the message. */

/** The fields of the incident itself. */
export function changesIn(data: FormData) {
  return {
    title: textOf(data, "title") ?? "",
    impact: textOf(data, "impact") as Impact,
    componentIds: checkedValues(data, "componentIds"),
  };
}

export function changesFaults(data: FormData): SaidFault[] {
  return faults(Name, changesIn(data).title, "title");
}

/** The values in the form of a new incident. It has no update if the message is empty. */
export function newIncidentIn(data: FormData): NewIncident {
  const update = updateIn(data);
  return { ...changesIn(data), ...(update.body !== "" && { updates: [update] }) };
}

export function newIncidentFaults(data: FormData): SaidFault[] {
  const { status, body } = updateIn(data);
  // Only an update can have a status.
  const lacksMessage = body === "" && status !== "investigating";
  return [
    ...changesFaults(data),
    ...(body === "" ? [] : bodyFaults(body)),
    ...(lacksMessage ? [pageFault("requiredForStatus", "body", {})] : []),
  ];
}

/** The update in the form; its body is empty if it is blank. */
export function updateIn(data: FormData): NewIncidentUpdate {
  const body = rawTextOf(data, "body") ?? "";
  return {
    status: textOf(data, "status") as IncidentStatus,
    // Spaces have a meaning in Markdown.
    body: body.trim() === "" ? "" : body,
  };
}

export function updateFaults(data: FormData): SaidFault[] {
  const { body } = updateIn(data);
  return body === "" ? [pageFault("required", "body", {})] : bodyFaults(body);
}

function bodyFaults(body: string): SaidFault[] {
  return faults(Type.String({ format: "markdown" }), body, "body");
}

/** Milliseconds between two fetches of outages: nothing reports that one becomes longer than `minOutage`. */
const INTERVAL = 10_000;

export function incidentsQuery(pageId: string) {
  return queryOptions({
    queryKey: queryKeys.incidents(pageId),
    queryFn: () => getData(api.pages({ id: pageId }).incidents.get()),
  });
}

export function incidentQuery(pageId: string, incidentId: string) {
  return queryOptions({
    queryKey: queryKeys.incident(pageId, incidentId),
    queryFn: () => getData(api.pages({ id: pageId }).incidents({ incidentId }).get()),
  });
}

export function pageOutagesQuery(pageId: string) {
  return queryOptions({
    queryKey: queryKeys.pageOutages(pageId),
    queryFn: () => getData(api.pages({ id: pageId }).outages.get()),
    refetchInterval: INTERVAL,
  });
}

/** How the public pages render a text. @param text Markdown @returns HTML of the API, without scripts and pictures */
export function renderedQuery(text: string) {
  return queryOptions({
    queryKey: queryKeys.rendered(text),
    queryFn: async () => (await getData(api.markdown.post({ body: text }))).html,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A page with the names of its components; undefined until both are known. */
export function usePage(id: string) {
  const page = useQuery(pageQuery(id));
  const ids = page.data?.components.filter(({ name }) => name === null).map(({ monitorId }) => monitorId);
  const monitors = useQuery({ ...monitorNamesQuery(ids ?? []), enabled: ids !== undefined });
  const names = useMemo(
    () => page.data && monitors.data && componentNames(page.data, monitors.data),
    [page.data, monitors.data],
  );
  return { page: page.data, names, error: page.error ?? monitors.error };
}

/** The way back to the incidents of a page. */
export function incidentsOf(pageId: string) {
  return { href: `/pages/${pageId}/incidents`, to: "incidents" } as const;
}
