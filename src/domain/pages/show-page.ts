import { DAY, dayOf } from "../results/rollup.ts";
import type { SettledHistory } from "./history-days.ts";
import type { PageFacts } from "./page-facts.ts";
import type { PublicPage } from "./public-page.ts";
import { showComponents } from "./show-components.ts";
import { showIncidents } from "./show-incidents.ts";
import { showMaintenances } from "./show-maintenances.ts";
import { indicatorOf, summaryOf } from "./summary.ts";

/** @property validUntil the next moment at which time alone may change the page, in milliseconds since 1970 */
export interface ShownPage {
  page: PublicPage;
  validUntil: number;
}

/** How long uptimes and latencies are shown without being read again, in milliseconds (behavior 15.29). */
const FIGURES_FOR = 60_000;

/**
 * What everybody sees of a page at a moment (behavior 15.20 to 15.31).
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
      historyDays: page.days,
      showLatency: page.showLatency,
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
