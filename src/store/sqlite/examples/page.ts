import type { IncidentStatus } from "../../../domain/pages/incident.ts";
import type { NewIncident } from "../../../domain/pages/incident-request.ts";
import type { Store } from "../../store.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Name of the monitor, name on the page, group. Components without a group are at the end. */
const COMPONENTS = [
  ["Shop front", "Website", "Shop"],
  ["Checkout", "Checkout", "Shop"],
  ["Public API", "API", "Shop"],
  ["Mail", "Mail", "Messages"],
  ["Invoices", "Invoices", "Messages"],
  ["Documentation", "Documentation", undefined],
] as const;

interface ExampleIncident extends Pick<NewIncident, "title" | "impact"> {
  component: string;
  /** Milliseconds before now. */
  began: number;
  /** Milliseconds after it began, status, Markdown. */
  updates: [after: number, status: IncidentStatus, body: string][];
}

const incidents: ExampleIncident[] = [
  {
    title: "E-mails arrive late",
    impact: "major",
    component: "Mail",
    began: 130 * MINUTE,
    updates: [
      [4 * MINUTE, "investigating", "Order confirmations arrive **late**. We are looking into it."],
      [38 * MINUTE, "identified", "Our mail provider rejects connections. E-mails wait, and *none is lost*."],
    ],
  },
  {
    title: "Payments by card were declined",
    impact: "minor",
    component: "Checkout",
    began: 12 * DAY,
    updates: [
      [5 * MINUTE, "investigating", "Some payments by card are declined."],
      [21 * MINUTE, "monitoring", "A new release of the checkout is running. We watch it."],
      [
        74 * MINUTE,
        "resolved",
        "All payments work again. See [what happened](https://blog.example.com/cards).",
      ],
    ],
  },
];

interface Given {
  organizationId: string;
  /** The IDs of the monitors of `monitors.ts`, by name. */
  monitorIds: ReadonlyMap<string, string>;
}

/** Creates the public page of the example monitors, with incidents and a planned maintenance. */
export async function createExamplePage(
  store: Store,
  { organizationId, monitorIds }: Given,
  now: number,
): Promise<void> {
  const monitorId = (name: string) => monitorIds.get(name) ?? "";
  const { id, components } = await store.pages.create(
    organizationId,
    {
      slug: "shop",
      title: "Example Shop",
      description: "The shop, its payments and its messages.",
      visibility: "public",
      components: COMPONENTS.map(([monitor, name, group]) => ({
        monitorId: monitorId(monitor),
        name,
        ...(group && { group }),
      })),
    },
    now - 90 * DAY,
  );
  const path = { organizationId, pageId: id };
  const outages = await store.pages.listOutages(path, now);
  for (const { component, began, updates, ...incident } of incidents) {
    const start = now - began;
    const componentIds = components.filter(({ name }) => name === component).map((one) => one.id);
    const outage = outages.find((one) => one.componentIds.some((of) => componentIds.includes(of)));
    const isOfOutage = outage !== undefined && outage.startedAt <= start;
    const request = { ...incident, componentIds, ...(isOfOutage && { outageId: outage.id }) };
    const { id: incidentId } = await store.incidents.create(path, request, start);
    for (const [after, status, body] of updates)
      await store.incidents.addUpdate({ ...path, incidentId }, { status, body }, start + after);
  }
  const maintenance = {
    title: "New database servers",
    message: "The shop takes orders, and confirms them after the upgrade.",
    selector: { monitorIds: [monitorId("Checkout"), monitorId("Invoices")] },
    startsAt: new Date(now + 3 * DAY).toISOString(),
    endsAt: new Date(now + 3 * DAY + 60 * MINUTE).toISOString(),
  };
  await store.maintenances.create(organizationId, maintenance, now);
}
