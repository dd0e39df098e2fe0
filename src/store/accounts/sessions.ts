import { eq, lte } from "drizzle-orm";
import type { Caller } from "../../domain/accounts/api-key.ts";
import { sessionEnd } from "../../domain/accounts/session.ts";
import { AppError } from "../../errors.ts";
import type { Database } from "../sqlite/open.ts";
import { apiKeys, organizations, sessions } from "../sqlite/schema.ts";
import { asCaller, hashKey } from "./api-keys.ts";

/**
 * Begins a session of a key, and forgets those that are over.
 *
 * @param token in plain text; only its hash is kept
 * @returns when it ends, in milliseconds since 1970
 * @throws AppError `unauthorized` where the key was deleted meanwhile
 */
export async function createSession(
  db: Database,
  { caller, token }: { caller: Caller; token: string },
  now: number,
): Promise<number> {
  const expiresAt = sessionEnd(caller, now);
  return db.transaction(
    (tx) => {
      const key = tx.select({ pk: apiKeys.pk }).from(apiKeys).where(eq(apiKeys.id, caller.keyId)).get();
      if (!key) throw new AppError("unauthorized", "Unauthorized");
      tx.delete(sessions).where(lte(sessions.expiresAt, now)).run();
      tx.insert(sessions)
        .values({ apiKeyPk: key.pk, hash: hashKey(token), expiresAt })
        .run();
      return expiresAt;
    },
    { behavior: "immediate" },
  );
}

/** Who is behind a session, until the end of it or of its key; nothing where it is unknown. */
export async function findSessionCaller(db: Database, hash: Uint8Array): Promise<Caller | undefined> {
  const found = db
    .select({ ...asCaller, sessionEnd: sessions.expiresAt })
    .from(sessions)
    .innerJoin(apiKeys, eq(apiKeys.pk, sessions.apiKeyPk))
    .innerJoin(organizations, eq(organizations.pk, apiKeys.organizationPk))
    .where(eq(sessions.hash, hash))
    .get();
  if (!found) return undefined;
  const { sessionEnd: end, ...caller } = found;
  return { ...caller, expiresAt: Math.min(end, caller.expiresAt ?? end) };
}

export async function deleteSession(db: Database, token: string): Promise<void> {
  db.delete(sessions)
    .where(eq(sessions.hash, hashKey(token)))
    .run();
}
