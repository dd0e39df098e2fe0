import { and, eq, gt, inArray, lte, ne } from "drizzle-orm";
import type { Tx } from "../tx.ts";

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
  { db, sets, tables: { releasedSlugs } }: Tx,
  { organizationPk, slugs }: { organizationPk: number; slugs: readonly string[] },
  now: number,
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
  { db, sets, tables: { releasedSlugs } }: Tx,
  slugs: readonly string[],
  now: number,
): Promise<void> {
  await db.update(releasedSlugs).set({ releasedAt: now }).where(sets.among(releasedSlugs.slug, slugs));
}

/** How many rows are deleted at once. */
const BATCH = 100;

/** Deletes some of the reservations that are over. @returns whether there may be more */
export async function pruneReleased({ db, tables: { releasedSlugs } }: Tx, now: number): Promise<boolean> {
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
