import { and, eq, gt, inArray, lt, max } from "drizzle-orm";
import type { StoredRegistration } from "../../domain/registration/registration.ts";
import type { TimedTx, Tx } from "../tx.ts";

/* The registrations of domains, which no organization owns. Times are milliseconds since 1970. */

/** @returns null for a domain that was never looked up */
export async function findRegistration(
  { db, tables: { registrations } }: Tx,
  domain: string,
): Promise<StoredRegistration | null> {
  const [row] = await db.select().from(registrations).where(eq(registrations.domain, domain));
  return row ?? null;
}

/** Stores what is known of a domain after a look-up. */
export async function saveRegistration(
  { db, tables: { registrations } }: Tx,
  registration: StoredRegistration,
): Promise<void> {
  const { domain: _, ...set } = registration;
  await db
    .insert(registrations)
    .values(registration)
    .onConflictDoUpdate({ target: registrations.domain, set });
}

/** Until when a registry wants no requests; null if it may be asked. */
export async function findPause(
  { db, tables: { registrations }, now }: TimedTx,
  registry: string,
): Promise<number | null> {
  const { pausedUntil } = registrations;
  const [row] = await db
    .select({ until: max(pausedUntil) })
    .from(registrations)
    .where(and(eq(registrations.registry, registry), gt(pausedUntil, now)));
  return row?.until ?? null;
}

/** How many rows are deleted at once. */
const BATCH = 100;

/** Deletes some of the domains that should have been looked up before a moment: no monitor asks for them. @returns whether there may be more */
export async function pruneRegistrations(
  { db, tables: { registrations } }: Tx,
  before: number,
): Promise<boolean> {
  const { domain, nextAt } = registrations;
  const old = await db.select({ domain }).from(registrations).where(lt(nextAt, before)).limit(BATCH);
  const domains = old.map((row) => row.domain);
  if (domains.length > 0) await db.delete(registrations).where(inArray(domain, domains));
  return domains.length === BATCH;
}
