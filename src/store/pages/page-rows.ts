import { and, count, eq, gt, inArray, isNull, lte, ne, type SQLWrapper, sql } from "drizzle-orm";
import type { PasswordHash } from "../../domain/pages/page-password.ts";
import { HASH_COST, normalizedPassword } from "../../domain/people/password.ts";
import type { TimedTx, Tx } from "../tx.ts";

/*
 * A slug that an organization gave up, by a deleted page or by another slug: hosts and links may still lead to it, so other
 * organizations can't have it for some time (behavior 15.7). All times are milliseconds since 1970.
 */

const RESERVED_FOR = 30 * 24 * 60 * 60 * 1000;

/** Reserves slugs for the organization that gives them up. */
export async function releaseSlugs(
  { db, tables: { releasedSlugs } }: Tx,
  { organizationPk, slugs }: { organizationPk: number; slugs: readonly string[] },
  releasedAt: number,
): Promise<void> {
  for (const slug of slugs)
    await db
      .insert(releasedSlugs)
      .values({ slug, organizationPk, releasedAt })
      .onConflictDoUpdate({ target: releasedSlugs.slug, set: { organizationPk, releasedAt } });
}

/** Ends the reservation of a slug that a page gets. */
export async function takeSlug({ db, tables: { releasedSlugs } }: Tx, slug: string): Promise<void> {
  await db.delete(releasedSlugs).where(eq(releasedSlugs.slug, slug));
}

/** Which of some slugs are reserved for other organizations. */
export async function listReserved(
  { db, sets, tables: { releasedSlugs }, now }: TimedTx,
  { organizationPk, slugs }: { organizationPk: number; slugs: readonly string[] },
): Promise<string[]> {
  const { slug, releasedAt } = releasedSlugs;
  const isForeign = ne(releasedSlugs.organizationPk, organizationPk);
  const rows = await db
    .select({ slug })
    .from(releasedSlugs)
    .where(and(sets.among(slug, slugs), isForeign, gt(releasedAt, now - RESERVED_FOR)));
  return rows.map((row) => row.slug);
}

/** Begins the time of some reservations again: a host of this server leads to these slugs. */
export async function keepReleased(
  { db, sets, tables: { releasedSlugs }, now }: TimedTx,
  slugs: readonly string[],
): Promise<void> {
  await db.update(releasedSlugs).set({ releasedAt: now }).where(sets.among(releasedSlugs.slug, slugs));
}

/** How many rows are deleted at once. */
const BATCH = 100;

/** Deletes some of the reservations that are over. @returns whether there may be more */
export async function pruneReleased({ db, tables: { releasedSlugs }, now }: TimedTx): Promise<boolean> {
  const { slug, releasedAt } = releasedSlugs;
  const rows = await db
    .select({ slug })
    .from(releasedSlugs)
    .where(lte(releasedAt, now - RESERVED_FOR))
    .limit(BATCH);
  const over = rows.map((row) => row.slug);
  if (over.length > 0) await db.delete(releasedSlugs).where(inArray(slug, over));
  return over.length === BATCH;
}

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

/** Not the maximum: see `related-monitors.ts`. */
function total(column: SQLWrapper) {
  return sql<string>`sum(${column} % 1000000007)`;
}

/** Seals a password without threads of its own, for commands: see `SealPassword`. */
export async function sealPassword(password: string, stored: PasswordHash | null): Promise<PasswordHash> {
  const text = normalizedPassword(password);
  if (stored !== null && (await Bun.password.verify(text, stored))) return stored;
  return (await Bun.password.hash(text, HASH_COST)) as PasswordHash;
}
