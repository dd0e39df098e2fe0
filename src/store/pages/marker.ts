import { and, count, eq, inArray, isNull, ne, type SQLWrapper, sql } from "drizzle-orm";
import type { Tx } from "../tx.ts";

/**
 * Opaque texts by slug, which change when anything on the page changes except uptimes and latencies, and except by time alone.
 * Two statements, however many pages and components there are. Slugs without a public page are left out.
 */
export async function findPageMarkers(tx: Tx, slugs: readonly string[]): Promise<Map<string, string>> {
  const pages = await listPages(tx, slugs);
  if (pages.length === 0) return new Map();
  const ofComponents = await markComponents(
    tx,
    pages.map(({ pk }) => pk),
  );
  return new Map(
    pages.map(({ pk, slug, ...page }) => [slug, `${Object.values(page).join(" ")} ${ofComponents.get(pk)}`]),
  );
}

async function listPages({ db, tables }: Tx, slugs: readonly string[]) {
  const { maintenanceRuns, organizations, pages } = tables;
  const openRuns = db
    .select({ sum: total(maintenanceRuns.pk) })
    .from(maintenanceRuns)
    // An expression, so that the small index of open runs is used.
    .where(
      and(
        sql`${maintenanceRuns.organizationPk} + 0 = ${pages.organizationPk}`,
        isNull(maintenanceRuns.endsAt),
      ),
    );
  return db
    .select({
      pk: pages.pk,
      slug: pages.slug,
      // Another page may have had the slug before.
      id: pages.id,
      revision: pages.revision,
      maintenances: organizations.maintenanceRevision,
      openRuns: sql<string>`(${openRuns})`,
    })
    .from(pages)
    .innerJoin(organizations, eq(organizations.pk, pages.organizationPk))
    .where(and(inArray(pages.slug, [...slugs]), ne(pages.visibility, "off")));
}

/**
 * An outage begins and ends with a change of the status, or with a pause, which changes `updatedAt`.
 *
 * @returns texts by the number of the page
 */
async function markComponents({ db, tables }: Tx, pagePks: number[]): Promise<Map<number, string>> {
  const { monitorStates, monitors, pageComponents } = tables;
  const rows = await db
    .select({
      pagePk: pageComponents.pagePk,
      count: count(),
      updatedAt: total(monitors.updatedAt),
      statusSince: total(monitorStates.statusSince),
      outages: total(monitorStates.outagePk),
    })
    .from(pageComponents)
    .innerJoin(monitors, eq(monitors.pk, pageComponents.monitorPk))
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, pageComponents.monitorPk))
    .where(inArray(pageComponents.pagePk, pagePks))
    .groupBy(pageComponents.pagePk);
  return new Map(rows.map(({ pagePk, ...marks }) => [pagePk, Object.values(marks).join(" ")]));
}

/** Not the maximum: see `change-markers.ts`. */
function total(column: SQLWrapper) {
  return sql<string>`sum(${column} % 1000000007)`;
}
