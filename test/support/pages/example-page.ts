import type { ComponentStatus } from "../../../src/domain/pages/component-status.ts";
import type {
  DayLevel,
  PublicComponent,
  PublicDay,
  PublicPage,
} from "../../../src/domain/pages/public-page.ts";
import { EXAMPLE_NOW, exampleIncidents, exampleMaintenances } from "./example-events.ts";

const DAY = 86_400_000;

/** The names of `COMPONENTS`, in this order. A page must show names from right to left and a hostile one correctly. */
const NAMED: { name: string; group: string | null; status: ComponentStatus }[] = [
  { name: "Website", group: null, status: "operational" },
  { name: "متجر القاهرة", group: "الخدمات العربية", status: "operational" },
  { name: "בדיקת תשלומים", group: "الخدمات العربية", status: "degraded_performance" },
  { name: "Checkout", group: "Shop", status: "major_outage" },
  { name: "Basket", group: "Shop", status: "operational" },
  { name: "Search", group: "Shop", status: "under_maintenance" },
  { name: '<b>Reports</b> & "exports"', group: null, status: "operational" },
  {
    name: "Nightly backup with a name that is so long that it needs a second line",
    group: "Jobs",
    status: "operational",
  },
];
const COMPONENTS = 50;

/** An ID in the form of the server's, which differs for each number. */
export function exampleId(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** A page with 50 components, 90 days, all statuses and levels, groups, incidents and maintenances, as it is at `EXAMPLE_NOW`. */
export function examplePage(changes: Partial<PublicPage> = {}): PublicPage {
  return {
    id: exampleId(1),
    slug: "example",
    passwordHash: null,
    title: "Example status",
    description: "All services of Example, and what we do about their faults.",
    historyDays: 90,
    showLatency: true,
    accent: null,
    logo: null,
    embedOrigins: [],
    language: "auto",
    timezone: "UTC",
    updatedAt: EXAMPLE_NOW - 5 * 60_000,
    indicator: "major",
    summary: "Partial System Outage",
    uptime: "99.61%",
    components: exampleComponents(COMPONENTS),
    incidents: exampleIncidents((index) => componentId(index)),
    maintenances: exampleMaintenances((index) => componentId(index)),
    ...changes,
  };
}

/** The same page where nothing ever happened. */
export function calmPage(changes: Partial<PublicPage> = {}): PublicPage {
  const components = exampleComponents(3).map((component) => ({
    ...component,
    status: "operational" as const,
    uptime: "100.00%",
    days: component.days.map((day) => ({ ...day, level: "good" as const, uptime: "100.00%" })),
  }));
  const calm = { indicator: "none" as const, summary: "All Systems Operational" };
  return examplePage({ ...calm, components, incidents: [], maintenances: [], ...changes });
}

/** The same page where each day had problems and another uptime. */
export function busyPage(): PublicPage {
  const busy = examplePage();
  let seed = 1;
  for (const component of busy.components)
    for (const day of component.days) {
      seed = (seed * 48_271) % 2_147_483_647;
      Object.assign(day, { level: "partial", uptime: `${90 + (seed % 10)}.${10 + (seed % 89)}%` });
    }
  return busy;
}

function componentId(index: number): string {
  return exampleId(100 + index);
}

function exampleComponents(count: number): PublicComponent[] {
  return Array.from({ length: count }, (_, index) => exampleComponent(index));
}

function exampleComponent(index: number): PublicComponent {
  const region = {
    name: `Server ${index + 1}`,
    group: `Region ${Math.floor(index / 10)}`,
    status: "operational" as const,
  };
  const { name, group, status } = NAMED[index] ?? region;
  const isNew = index === 6;
  return {
    id: componentId(index),
    name,
    group: group === null ? null : { id: groupId(group), name: group },
    status,
    since: EXAMPLE_NOW - (index + 1) * 3_600_000,
    createdAt: EXAMPLE_NOW - (isNew ? 5 : 200) * DAY,
    uptime: isNew ? null : index % 7 === 3 ? "98.71%" : "99.98%",
    days: Array.from({ length: 90 }, (_, day) => exampleDay(index, isNew ? -1 : day)).map((day, at) => ({
      ...day,
      date: new Date(EXAMPLE_NOW - (89 - at) * DAY).toISOString().slice(0, 10),
    })),
    downMs: index === 3 ? { "2026-11-22": 25 * 60_000 } : {},
    latencyMs: isNew ? null : 20 + index * 3,
  };
}

/** A day of a component; none before the first results of each third component. */
function exampleDay(index: number, day: number): Omit<PublicDay, "date"> {
  const level = levelOf(index, day);
  const uptime = { none: null, good: "100.00%", partial: "99.31%", down: "87.50%" }[level];
  return { level, uptime };
}

function levelOf(index: number, day: number): DayLevel {
  if (day < 0 || (index % 3 === 2 && day < 20)) return "none";
  if ((index * 31 + day * 17) % 97 === 0) return "down";
  return (index * 13 + day * 29) % 41 === 0 ? "partial" : "good";
}

function groupId(group: string): string {
  return exampleId(1000 + [...group].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0));
}
