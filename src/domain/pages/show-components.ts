import { DAY } from "../results/rollup.ts";
import { type StatusCount, sumByStatus } from "../results/status-counts.ts";
import { uptime } from "../results/uptime.ts";
import { componentStatus } from "./component-status.ts";
import { createDays, type SettledHistory } from "./history-days.ts";
import type { ComponentFacts, PageFacts } from "./page-facts.ts";
import type { PublicComponent, PublicDay, PublicMaintenance } from "./public-page.ts";

/** What all components of a page share. */
interface Shared {
  settled: SettledHistory;
  /** Of yesterday and today. */
  showLatest: (counts: readonly StatusCount[]) => PublicDay[];
  maintenances: readonly PublicMaintenance[];
}

/** The components in the order in which the page shows them (behavior 15.20 to 15.22, 15.27). @param settled until yesterday */
export function showComponents(
  { components }: PageFacts,
  settled: SettledHistory,
  maintenances: readonly PublicMaintenance[],
): PublicComponent[] {
  const showLatest = createDays({ since: settled.until, until: settled.until + 2 * DAY });
  return inGroups(components).map((component) =>
    showComponent(component, { settled, showLatest, maintenances }),
  );
}

/** Components of one group follow each other, at the place of the first of them. */
function inGroups(components: readonly ComponentFacts[]): ComponentFacts[] {
  return [...Map.groupBy(components, ({ id, group }) => group?.name ?? { id }).values()].flat();
}

function showComponent(
  component: ComponentFacts,
  { settled, showLatest, maintenances }: Shared,
): PublicComponent {
  const { id, name, group, createdAt, latestCounts, latencyMs } = component;
  const own = maintenances.filter(({ componentIds }) => componentIds.includes(id));
  const past = settled.byMonitor.get(component.monitorId);
  return {
    ...{ id, name, group },
    status: componentStatus({ ...component, isMaintained: own.some(({ state }) => state === "active") }),
    since: sinceOf(component, own),
    createdAt,
    uptime: uptime(sumByStatus(latestCounts, past?.counts)),
    days: [...(past?.days ?? []), ...showLatest(latestCounts)],
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
