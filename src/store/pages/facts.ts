import { and, asc, eq, ne } from "drizzle-orm";
import { firstDay } from "../../domain/pages/history-days.ts";
import type { ComponentFacts, PageFacts } from "../../domain/pages/page-facts.ts";
import type { Tx } from "../tx.ts";
import { listLatenciesByMonitor, listLatestCounts } from "./figures.ts";
import { listIncidentFacts, listMaintenanceFacts, listRunFacts, publicId } from "./incident-facts.ts";
import { listOutageFacts } from "./outage-facts.ts";

/**
 * All that a public page shows except its settled history, on one snapshot; null if no page with this slug is public. The number
 * of statements does not depend on the number of components.
 *
 * @param now milliseconds since 1970
 */
export async function readPageFacts(tx: Tx, slug: string, now: number): Promise<PageFacts | null> {
  const row = await findPage(tx, slug);
  if (!row) return null;
  const { pk, organizationPk, ...page } = row;
  const components = await listComponents(tx, pk);
  const monitorPks = [...new Set(components.map(({ monitorPk }) => monitorPk))];
  const since = firstDay(page.days, now);
  const counts = await listLatestCounts(tx, monitorPks, now);
  const latencies = page.showLatency ? await listLatenciesByMonitor(tx, monitorPks, now) : new Map();
  const within = { page: { pk, id: page.id, minOutage: page.minOutage }, since };
  return {
    page,
    components: components.map(({ monitorPk, ...component }) => ({
      ...componentFacts(page.id, component),
      latestCounts: counts.get(monitorPk) ?? [],
      latencyMs: latencies.get(monitorPk) ?? null,
    })),
    incidents: await listIncidentFacts(tx, within, new Set(components.map(({ id }) => id))),
    outages: await listOutageFacts(
      tx,
      within,
      new Map(components.map((one) => [one.monitorPk, one.monitorId])),
    ),
    maintenances: await listMaintenanceFacts(tx, { organizationPk, pageId: page.id }, now),
    runs: await listRunFacts(tx, { organizationPk, pageId: page.id }, now),
  };
}

async function findPage({ db, tables: { pages } }: Tx, slug: string) {
  const { pk, organizationPk, id, title, description, days, minOutage, showLatency, updatedAt } = pages;
  const { accent, logo, embedOrigins, language, timezone, passwordHash } = pages;
  const [row] = await db
    .select({
      pk,
      organizationPk,
      id,
      slug: pages.slug,
      title,
      description,
      days,
      minOutage,
      showLatency,
      accent,
      logo,
      embedOrigins,
      language,
      timezone,
      passwordHash,
      updatedAt,
    })
    .from(pages)
    .where(and(eq(pages.slug, slug), ne(pages.visibility, "off")));
  return row;
}

async function listComponents({ db, tables }: Tx, pagePk: number) {
  const { monitorStates, monitors, pageComponents } = tables;
  const { id, monitorPk, name, group, createdAt } = pageComponents;
  return db
    .select({
      ...{ id, monitorPk, name, group, createdAt },
      monitorId: monitors.id,
      monitorName: monitors.name,
      tags: monitors.tags,
      enabled: monitors.enabled,
      updatedAt: monitors.updatedAt,
      status: monitorStates.status,
      statusSince: monitorStates.statusSince,
    })
    .from(pageComponents)
    .innerJoin(monitors, eq(monitors.pk, monitorPk))
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitorPk))
    .where(eq(pageComponents.pagePk, pagePk))
    .orderBy(asc(pageComponents.position), asc(pageComponents.pk));
}

type ComponentRow = Omit<Awaited<ReturnType<typeof listComponents>>[number], "monitorPk">;

function componentFacts(
  pageId: string,
  { name, group, monitorName, updatedAt, ...component }: ComponentRow,
): Omit<ComponentFacts, "latestCounts" | "latencyMs"> {
  return {
    ...component,
    name: name ?? monitorName,
    group: group === null ? null : { id: publicId(pageId, "group", group), name: group },
    editedAt: name === null ? updatedAt : component.createdAt,
  };
}
