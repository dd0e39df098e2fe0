import { eq, lte } from "drizzle-orm";
import { CHALLENGE_LENGTH, type ChallengeKind } from "../../domain/people/webauthn/challenge.ts";
import { hashKey } from "../accounts/api-keys.ts";
import type { Tx } from "../tx.ts";
import { personPkOf } from "./person-sessions.ts";

/** @property challenge in base64url @property personId null at a sign-in: anybody may answer it */
export interface Challenge {
  challenge: string;
  kind: ChallengeKind;
  personId: string | null;
}

/** Lets a challenge be answered once, on any node (behavior 19.53). @param now when it is created, and begins to hold */
export async function createPasskeyChallenge(
  tx: Tx,
  { challenge, kind, personId }: Challenge,
  now: number,
): Promise<void> {
  const { passkeyChallenges } = tx.tables;
  await tx.db.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now));
  await tx.db.insert(passkeyChallenges).values({
    ...{ hash: hashKey(challenge), kind, expiresAt: now + CHALLENGE_LENGTH },
    personPk: personId === null ? null : await personPkOf(tx, personId),
  });
}

/**
 * Ends a challenge, whoever answers it.
 *
 * @returns when it was created; null unless it was open, of this kind, and for this person or for anybody
 */
export async function takePasskeyChallenge(
  { db, tables: { people, passkeyChallenges } }: Tx,
  { challenge, kind, personId }: Challenge,
  now: number,
): Promise<number | null> {
  const [taken] = await db
    .delete(passkeyChallenges)
    .where(eq(passkeyChallenges.hash, hashKey(challenge)))
    .returning();
  if (!taken || taken.kind !== kind || taken.expiresAt <= now) return null;
  const createdAt = taken.expiresAt - CHALLENGE_LENGTH;
  if (taken.personPk === null) return createdAt;
  const [person] = await db.select({ id: people.id }).from(people).where(eq(people.pk, taken.personPk));
  return person?.id === personId ? createdAt : null;
}
