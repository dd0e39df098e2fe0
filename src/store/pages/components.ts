import { and, eq, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import type { Component, ComponentRequest } from "../../domain/pages/page-request.ts";
import { AppError } from "../../errors.ts";
import { createId } from "../ids.ts";
import type { TimedTx, Tx } from "../tx.ts";
import type { PageRow } from "./pages.ts";

type PageKeys = Pick<PageRow, "pk" | "organizationPk">;

/** The components of some pages in their order, by the number of the page. @param ofPages a condition about `pages` */
export async function listComponents(
  { db, tables: { pages, pageComponents, monitors } }: Tx,
  ofPages: SQL,
): Promise<Map<number, Component[]>> {
  const { pagePk, id, name, group } = pageComponents;
  const rows = await db
    .select({ pagePk, component: { id, monitorId: monitors.id, name, group } })
    .from(pageComponents)
    .innerJoin(pages, eq(pages.pk, pagePk))
    .innerJoin(monitors, eq(monitors.pk, pageComponents.monitorPk))
    .where(ofPages)
    .orderBy(pagePk, pageComponents.position);
  const components = new Map<number, Component[]>();
  for (const row of rows) {
    const listed = components.get(row.pagePk);
    if (listed) listed.push(row.component);
    else components.set(row.pagePk, [row.component]);
  }
  return components;
}

/**
 * Replaces the components of a page. Components that are sent with their ID are kept.
 *
 * @throws AppError `invalid` for an ID that is not of this page, or repeated, then for an unknown monitor
 */
export async function replaceComponents(
  tx: TimedTx,
  { page, components }: { page: PageKeys; components: readonly ComponentRequest[] },
): Promise<void> {
  assertKept(components, await findComponentIds(tx, page));
  const monitorPks = await findMonitorPks(tx, page, components);
  const rows = components.map(({ id = createId(), monitorId, name, group }, position) => ({
    id,
    pagePk: page.pk,
    monitorPk: monitorPks.get(monitorId) ?? 0,
    name: name?.trim() ?? null,
    group: group?.trim() ?? null,
    position,
    createdAt: tx.now,
  }));
  const { pageComponents } = tx.tables;
  const kept = rows.map(({ id }) => id);
  const isOther = kept.length > 0 ? notInArray(pageComponents.id, kept) : undefined;
  await tx.db.delete(pageComponents).where(and(eq(pageComponents.pagePk, page.pk), isOther));
  if (rows.length > 0) await saveRows(tx, rows);
}

async function saveRows(
  { db, tables: { pageComponents } }: Tx,
  rows: (typeof pageComponents.$inferInsert)[],
): Promise<void> {
  const set = {
    monitorPk: sql`excluded.monitor_pk`,
    name: sql`excluded.name`,
    group: sql`excluded.group_name`,
    position: sql`excluded.position`,
  };
  await db.insert(pageComponents).values(rows).onConflictDoUpdate({ target: pageComponents.id, set });
}

/** The IDs of the components of a page. */
export async function findComponentIds(
  { db, tables: { pageComponents } }: Tx,
  { pk }: Pick<PageRow, "pk">,
): Promise<Set<string>> {
  const { id, pagePk } = pageComponents;
  const rows = await db.select({ id }).from(pageComponents).where(eq(pagePk, pk));
  return new Set(rows.map((row) => row.id));
}

function assertKept(components: readonly ComponentRequest[], existing: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const [at, { id }] of components.entries()) {
    if (id === undefined) continue;
    if (!existing.has(id))
      throw new AppError("invalid", `components.${at}.id is not a component of this page`);
    if (seen.has(id)) throw new AppError("invalid", `components.${at}.id is the ID of an earlier component`);
    seen.add(id);
  }
}

/** The numbers of the monitors, by ID. @throws AppError `invalid` that names the first that is unknown */
async function findMonitorPks(
  { db, tables: { monitors } }: Tx,
  { organizationPk }: PageKeys,
  components: readonly ComponentRequest[],
): Promise<Map<string, number>> {
  const { pk, id } = monitors;
  const ids = [...new Set(components.map(({ monitorId }) => monitorId))];
  const rows = await db
    .select({ pk, id })
    .from(monitors)
    .where(and(inArray(id, ids), eq(monitors.organizationPk, organizationPk)));
  const found = new Map(rows.map((row) => [row.id, row.pk]));
  const unknown = components.findIndex(({ monitorId }) => !found.has(monitorId));
  if (unknown >= 0)
    throw new AppError("invalid", `components.${unknown}.monitorId is not a monitor of this organization`);
  return found;
}
