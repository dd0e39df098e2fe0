import { and, eq, gt, lte } from "drizzle-orm";
import { hashKey } from "../accounts/api-keys.ts";
import type { Tx } from "../tx.ts";

/** The values that prove that a provider answers this attempt. */
export interface OidcAttempt {
  issuer: string;
  nonce: string;
  codeVerifier: string;
}

/** @property state, browser in plain text; only their hashes are stored @property sessionId of the person to link; null for a sign-in */
export interface NewOidcAttempt extends OidcAttempt {
  state: string;
  browser: string;
  sessionId: string | null;
  expiresAt: number;
}

/** Remembers a sign-in until the provider returns it, to whichever node. */
export async function beginOidcAttempt(
  { db, tables: { oidcAttempts, personSessions } }: Tx,
  { state, browser, sessionId, ...values }: NewOidcAttempt,
  now: number,
): Promise<void> {
  await db.delete(oidcAttempts).where(lte(oidcAttempts.expiresAt, now));
  const [session] =
    sessionId === null
      ? []
      : await db
          .select({ pk: personSessions.pk })
          .from(personSessions)
          .where(eq(personSessions.id, sessionId));
  // A session that has ended meanwhile must not become a sign-in.
  if (sessionId !== null && !session) return;
  const hashes = { hash: hashKey(state), browserHash: hashKey(browser) };
  await db.insert(oidcAttempts).values({ ...values, ...hashes, sessionPk: session?.pk ?? null });
}

/**
 * Ends an attempt, so that its state and its code are used once.
 *
 * @returns undefined if it is unknown, was used, is too old, or began in another browser
 */
export async function takeOidcAttempt(
  { db, tables: { oidcAttempts, personSessions } }: Tx,
  { state, browser }: { state: string; browser: string },
  now: number,
): Promise<(OidcAttempt & { sessionId: string | null }) | undefined> {
  const isOwn = and(
    eq(oidcAttempts.hash, hashKey(state)),
    eq(oidcAttempts.browserHash, hashKey(browser)),
    gt(oidcAttempts.expiresAt, now),
  );
  const [taken] = await db.delete(oidcAttempts).where(isOwn).returning();
  if (!taken) return undefined;
  const { issuer, nonce, codeVerifier, sessionPk } = taken;
  if (sessionPk === null) return { issuer, nonce, codeVerifier, sessionId: null };
  const [session] = await db
    .select({ id: personSessions.id })
    .from(personSessions)
    .where(eq(personSessions.pk, sessionPk));
  return session && { issuer, nonce, codeVerifier, sessionId: session.id };
}
