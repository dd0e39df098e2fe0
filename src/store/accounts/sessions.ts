import { and, eq, lte } from "drizzle-orm";
import type { Caller } from "../../domain/accounts/api-key.ts";
import { sessionEnd } from "../../domain/accounts/organization.ts";
import type { WallLink } from "../../domain/wall/wall.ts";
import { AppError, notFound } from "../../errors.ts";
import { type Audited, auditCreation, auditDeletion } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { callerColumns, callerOf, hashKey } from "./api-keys.ts";
import { organizationPk } from "./organizations.ts";

/**
 * Starts a session of a key, and deletes the sessions that have expired.
 *
 * @param token in plain text; only its hash is stored @property isKept whether it lasts 30 days
 * @returns when the session expires, in milliseconds since 1970
 * @throws AppError `unauthorized` if the key was deleted meanwhile
 */
export async function createSession(
  { db, tables: { apiKeys, sessions }, now }: TimedTx,
  { caller, token, isKept = false }: { caller: Caller; token: string; isKept?: boolean },
): Promise<number> {
  const expiresAt = sessionEnd(caller, isKept, now);
  const [key] = await db.select({ pk: apiKeys.pk }).from(apiKeys).where(eq(apiKeys.id, caller.actor.id));
  if (!key) throw new AppError("unauthorized", "Unauthorized");
  await db.delete(sessions).where(lte(sessions.expiresAt, now));
  await db.insert(sessions).values({ apiKeyPk: key.pk, hash: hashKey(token), expiresAt });
  return expiresAt;
}

/** The caller of a session, who expires with the session or its key; undefined if the session is unknown. */
export async function findSessionCaller({ db, tables }: Tx, hash: Uint8Array): Promise<Caller | undefined> {
  const { apiKeys, organizations, sessions } = tables;
  const [found] = await db
    .select({ ...callerColumns(tables), sessionEnd: sessions.expiresAt })
    .from(sessions)
    .innerJoin(apiKeys, eq(apiKeys.pk, sessions.apiKeyPk))
    .innerJoin(organizations, eq(organizations.pk, apiKeys.organizationPk))
    .where(eq(sessions.hash, hash));
  if (!found) return undefined;
  const { sessionEnd: end, ...caller } = callerOf(found);
  return { ...caller, expiresAt: Math.min(end, caller.expiresAt ?? end) };
}

/** @param token in plain text */
export async function deleteSession({ db, tables: { sessions } }: Tx, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.hash, hashKey(token)));
}

export interface NewWallLink {
  organizationId: string;
  name: string;
  /** Only monitors with this tag; null for all. */
  tag: string | null;
  /** In plain text; only its hash is stored. */
  token: string;
}

/** @throws AppError `not_found` if the organization does not exist */
export async function createWallLink(
  tx: TimedTx,
  { organizationId, name, tag, token }: NewWallLink,
): Promise<WallLink> {
  const { wallLinks } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const link = { id: createId(), name, tag, createdAt: tx.now };
  await tx.db.insert(wallLinks).values({ ...link, organizationPk: organization, hash: hashKey(token) });
  await auditCreation(tx, audited(link, organization), { name, tag: tag ?? undefined });
  return link;
}

/** The links of an organization, oldest first. @throws AppError `not_found` if the organization does not exist */
export async function listWallLinks(tx: Tx, organizationId: string): Promise<WallLink[]> {
  const { wallLinks } = tx.tables;
  const { id, name, tag, createdAt } = wallLinks;
  return tx.db
    .select({ id, name, tag, createdAt })
    .from(wallLinks)
    .where(eq(wallLinks.organizationPk, await organizationPk(tx, organizationId)))
    .orderBy(wallLinks.pk);
}

/** @throws AppError `not_found` */
export async function deleteWallLink(tx: Tx, organizationId: string, id: string): Promise<{ id: string }> {
  const { wallLinks } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const thisLink = and(eq(wallLinks.id, id), eq(wallLinks.organizationPk, organization));
  const [deleted] = await tx.db.delete(wallLinks).where(thisLink).returning();
  if (!deleted) throw notFound();
  await auditDeletion(tx, audited(deleted, organization));
  return { id };
}

/** The link with this token; undefined if there is none. @param token in plain text */
export async function findWallLink(
  { db, tables: { organizations, wallLinks } }: Tx,
  token: string,
): Promise<{ organizationId: string; name: string; tag: string | null } | undefined> {
  const [found] = await db
    .select({ organizationId: organizations.id, name: wallLinks.name, tag: wallLinks.tag })
    .from(wallLinks)
    .innerJoin(organizations, eq(organizations.pk, wallLinks.organizationPk))
    .where(eq(wallLinks.hash, hashKey(token)));
  return found;
}

/** The audit log calls it a key, because it gives access (behavior 16.364). */
function audited({ id, name }: { id: string; name: string }, organizationPk: number): Audited {
  return { organizationPk, type: "api_key", id, name: `${name} (wall link)` };
}
