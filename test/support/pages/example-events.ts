import type { IncidentStatus, IncidentUpdate } from "../../../src/domain/pages/incident.ts";
import type { PublicIncident, PublicMaintenance } from "../../../src/domain/pages/public-page.ts";

/** The time at which the example is as it is. */
export const EXAMPLE_NOW = Date.parse("2026-11-22T15:30:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type ComponentId = (index: number) => string;

/** An open written incident, an open outage, a resolved written incident, an ended outage, and one of impact `critical`. */
export function exampleIncidents(componentId: ComponentId): PublicIncident[] {
  const open = { resolvedAt: null };
  return [
    incident(1, {
      outage: { component: "Checkout", isDown: true, lengthMs: 0 },
      title: "Checkout is down",
      impact: "major",
      componentIds: [componentId(3)],
      startedAt: EXAMPLE_NOW - 25 * MINUTE,
      ...open,
      updates: [
        update(11, "investigating", "It has been down since Nov 22, 15:05 UTC.", EXAMPLE_NOW - 25 * MINUTE),
      ],
    }),
    incident(2, {
      outage: null,
      title: "Payments are slow <for some>",
      impact: "minor",
      componentIds: [componentId(2), componentId(3)],
      startedAt: EXAMPLE_NOW - 2 * HOUR,
      ...open,
      updates: [
        update(22, "identified", MARKDOWN, EXAMPLE_NOW - 90 * MINUTE),
        update(
          21,
          "investigating",
          "We see **slow payments** and look for the cause.",
          EXAMPLE_NOW - 2 * HOUR,
        ),
      ],
    }),
    incident(3, {
      outage: { component: "Search", isDown: false, lengthMs: 12 * MINUTE },
      title: "Search is degraded",
      impact: "minor",
      componentIds: [componentId(5)],
      startedAt: EXAMPLE_NOW - 3 * DAY,
      resolvedAt: EXAMPLE_NOW - 3 * DAY + 12 * MINUTE,
      updates: [
        update(32, "resolved", "It lasted 12 minutes.", EXAMPLE_NOW - 3 * DAY + 12 * MINUTE),
        update(31, "investigating", "It has been degraded since Nov 19, 15:30 UTC.", EXAMPLE_NOW - 3 * DAY),
      ],
    }),
    incident(4, {
      outage: null,
      title: "تعطل المتجر",
      impact: "critical",
      componentIds: [componentId(1)],
      startedAt: EXAMPLE_NOW - 10 * DAY,
      resolvedAt: EXAMPLE_NOW - 10 * DAY + 4 * HOUR,
      updates: [
        update(43, "resolved", "تم إصلاح المتجر.", EXAMPLE_NOW - 10 * DAY + 4 * HOUR),
        update(42, "monitoring", "A fix is in place.", EXAMPLE_NOW - 10 * DAY + 2 * HOUR),
        update(41, "investigating", "المتجر لا يستجيب.", EXAMPLE_NOW - 10 * DAY),
      ],
    }),
    incident(5, {
      outage: null,
      title: "A note without components or updates",
      impact: "none",
      componentIds: [],
      startedAt: EXAMPLE_NOW - 40 * DAY,
      resolvedAt: EXAMPLE_NOW - 39 * DAY,
      updates: [],
    }),
  ];
}

const MARKDOWN = `The provider **confirms** the fault:

- cards are slow
- bank transfers work

See [their page](https://provider.example/status). <script>alert(1)</script>`;

/** An open window, a scheduled window, and a window that has ended. */
export function exampleMaintenances(componentId: ComponentId): PublicMaintenance[] {
  return [
    maintenance(1, {
      title: "New index of the search",
      message: "Search may be slow.\n\nNothing is lost.",
      state: "active",
      startsAt: EXAMPLE_NOW - HOUR,
      endsAt: EXAMPLE_NOW + HOUR,
      componentIds: [componentId(5)],
    }),
    maintenance(2, {
      title: "صيانة قاعدة البيانات",
      message: null,
      state: "scheduled",
      startsAt: EXAMPLE_NOW + 2 * DAY,
      endsAt: EXAMPLE_NOW + 2 * DAY + 3 * HOUR,
      componentIds: [componentId(1), componentId(8), componentId(9)],
    }),
    maintenance(3, {
      title: "Exchange of a switch",
      message: "Done as planned.",
      state: "ended",
      startsAt: EXAMPLE_NOW - 6 * DAY,
      endsAt: EXAMPLE_NOW - 6 * DAY + 2 * HOUR,
      componentIds: [componentId(10)],
    }),
  ];
}

function incident(number: number, rest: Omit<PublicIncident, "id" | "status" | "updatedAt">): PublicIncident {
  const latest = rest.updates[0];
  const status = latest?.status ?? (rest.resolvedAt === null ? "investigating" : "resolved");
  const updatedAt = latest?.createdAt ?? rest.resolvedAt ?? rest.startedAt;
  return { id: eventId(number), status, updatedAt, ...rest };
}

function update(number: number, status: IncidentStatus, body: string, createdAt: number): IncidentUpdate {
  return { id: eventId(number), status, body, createdAt, editedAt: null };
}

type NamedMaintenance = Omit<PublicMaintenance, "id" | "updatedAt" | "series" | "repeats">;

function maintenance(number: number, rest: NamedMaintenance): PublicMaintenance {
  const single = { series: eventId(200 + number), repeats: null };
  return { id: eventId(100 + number), updatedAt: rest.startsAt - DAY, ...single, ...rest };
}

function eventId(number: number): string {
  return `00000000-0000-4000-9000-${number.toString(16).padStart(12, "0")}`;
}
