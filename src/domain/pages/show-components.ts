import { isDown, levelOf } from "../monitors/status.ts";
import { sumByStatus } from "../results/status-counts.ts";
import { uptime } from "../results/uptime.ts";
import { daysOf, type HistoryDay, showDay } from "./history-days.ts";
import type { ComponentFacts, PageFacts } from "./page-facts.ts";
import type { ComponentStatus, PublicComponent, PublicMaintenance } from "./public-page.ts";

/** The components in the order in which the page shows them (behavior 15.20 to 15.22, 15.27). */
export function showComponents(
  { page, components }: PageFacts,
  maintenances: readonly PublicMaintenance[],
  now: number,
): PublicComponent[] {
  const days = daysOf(page.days, now);
  return inGroups(components).map((component) => showComponent(component, { days, maintenances }));
}

/** Components of one group follow each other, at the place of the first of them. */
function inGroups(components: readonly ComponentFacts[]): ComponentFacts[] {
  return [...Map.groupBy(components, ({ id, group }) => group?.name ?? { id }).values()].flat();
}

function showComponent(
  component: ComponentFacts,
  { days, maintenances }: { days: HistoryDay[]; maintenances: readonly PublicMaintenance[] },
): PublicComponent {
  const { id, name, group, createdAt, counts, latencyMs } = component;
  const own = maintenances.filter(({ componentIds }) => componentIds.includes(id));
  const byDay = Map.groupBy(counts, ({ start }) => start);
  const shown = days.map((day) => showDay(day, byDay.get(day.start) ?? []));
  const inDays = counts.filter(({ start }) => start >= (days[0]?.start ?? 0));
  return {
    ...{ id, name, group },
    status: statusOf(component, own),
    since: sinceOf(component, own),
    createdAt,
    uptime: uptime(sumByStatus(inDays)),
    days: shown,
    latencyMs,
  };
}

/** Behavior 15.20. */
function statusOf(
  { enabled, status }: ComponentFacts,
  maintenances: readonly PublicMaintenance[],
): ComponentStatus {
  if (!enabled) return "operational";
  if (maintenances.some(({ state }) => state === "active")) return "under_maintenance";
  if (status === "unknown") return "operational";
  if (isDown(status)) return "major_outage";
  return levelOf(status) > 0 ? "degraded_performance" : "operational";
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
