import { eq, lte } from "drizzle-orm";
import type { Caller } from "../../domain/accounts/api-key.ts";
import { sessionEnd } from "../../domain/accounts/session.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../tx.ts";
import { callerColumns, callerOf, hashKey } from "./api-keys.ts";

/**
 * Starts a session of a key, and deletes the sessions that have expired.
 *
 * @param token in plain text; only its hash is stored @property isKept whether it lasts 30 days
 * @param now milliseconds since 1970
 * @returns when the session expires, in milliseconds since 1970
 * @throws AppError `unauthorized` if the key was deleted meanwhile
 */
export async function createSession(
  { db, tables: { apiKeys, sessions } }: Tx,
  { caller, token, isKept = false }: { caller: Caller; token: string; isKept?: boolean },
  now: number,
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
