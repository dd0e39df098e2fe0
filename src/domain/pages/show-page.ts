import { DAY } from "../duration.ts";
import { dayOf } from "../results/rollup.ts";
import { type StatusCount, sumByStatus, uptime } from "../results/uptime.ts";
import { componentStatus, indicatorOf, summaryOf } from "./component-status.ts";
import { createDays, type SettledHistory, withToday } from "./history-days.ts";
import type { ComponentFacts, PageFacts } from "./page-facts.ts";
import { parseLogo } from "./page-logo.ts";
import type { PublicComponent, PublicDay, PublicMaintenance, PublicPage } from "./public-page.ts";
import { showIncidents } from "./show-incidents.ts";
import { showMaintenances } from "./show-maintenances.ts";

/** @property validUntil the next moment at which time alone may change the page, in milliseconds since 1970 */
export interface ShownPage {
  page: PublicPage;
  validUntil: number;
}

/** How long uptimes and latencies are shown without being read again, in milliseconds (behavior 15.29). */
const FIGURES_FOR = 60_000;

/**
 * The public view of a page at a moment (behavior 15.20 to 15.31).
 *
 * @param facts read at `now` or just before it @param settled of all monitors of the page, until the start of yesterday
 */
export function showPage(facts: PageFacts, settled: SettledHistory, now: number): ShownPage {
  const { page } = facts;
  const maintenances = showMaintenances(facts, now);
  const components = showComponents(facts, settled, maintenances.items);
  const incidents = showIncidents(facts, now);
  const indicator = indicatorOf(components, incidents.open);
  return {
    page: {
      id: page.id,
      slug: page.slug,
      title: page.title,
      description: page.description,
      passwordHash: page.passwordHash,
      historyDays: page.days,
      showLatency: page.showLatency,
      accent: page.accent,
      logo: parseLogo(page.logo),
      embedOrigins: page.embedOrigins,
      language: page.language,
      timezone: page.timezone,
      updatedAt: lastChange(facts, [...maintenances.changes, ...incidents.changes], now),
      indicator,
      summary: summaryOf(indicator, components),
      components,
      incidents: incidents.items,
      maintenances: maintenances.items,
    },
    validUntil: Math.min(now + FIGURES_FOR, dayOf(now) + DAY, maintenances.nextChange, incidents.nextChange),
  };
}

function lastChange({ page, components }: PageFacts, changes: readonly number[], now: number): number {
  const ofComponents = components.flatMap(({ statusSince, editedAt }) => [statusSince ?? 0, editedAt]);
  const past = [...ofComponents, ...changes].filter((at) => at <= now);
  return past.reduce((latest, at) => Math.max(latest, at), page.updatedAt);
}

/** Values that all components of a page share. */
interface Shared {
  settled: SettledHistory;
  /** Shows yesterday and today. */
  showLatest: (counts: readonly StatusCount[]) => PublicDay[];
  maintenances: readonly PublicMaintenance[];
}

/** The components in the order in which the page shows them (behavior 15.20 to 15.22, 15.27). @param settled until yesterday */
function showComponents(
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
  const status = componentStatus({ ...component, isMaintained: own.some(({ state }) => state === "active") });
  return {
    ...{ id, name, group },
    status,
    since: sinceOf(component, own),
    createdAt,
    uptime: uptime(sumByStatus(latestCounts, past?.counts)),
    days: withToday([...(past?.days ?? []), ...showLatest(latestCounts)], status),
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
