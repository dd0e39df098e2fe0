import { and, eq, gt } from "drizzle-orm";
import { isFreshSignIn } from "../../domain/people/person.ts";
import { invalid, unauthorized } from "../../errors.ts";
import type { Tx } from "../tx.ts";

/**
 * The password, passkey, identity or session with which somebody has proved who they are. To judge it takes up to seconds, in which the
 * person may have removed it, so the transaction that relies on it looks for it again (behavior 19.31).
 */
export type Proof =
  | { by: "password"; passwordHash: string }
  | { by: "passkey"; passkeyId: string }
  | { by: "identity"; issuer: string; subject: string }
  | { by: "session"; sessionId: string };

/** @throws AppError `unauthorized` if the person does not have it any more */
export async function assertStillProved(tx: Tx, personPk: number, proof: Proof, now: number): Promise<void> {
  const found = await finders[proof.by](tx, personPk, proof as never, now);
  if (found.length === 0) throw unauthorized();
}

type Finders = {
  [By in Proof["by"]]: (
    tx: Tx,
    personPk: number,
    proof: Extract<Proof, { by: By }>,
    now: number,
  ) => Promise<{ pk: number }[]>;
};

const finders: Finders = {
  password: ({ db, tables: { people } }, personPk, { passwordHash }) =>
    db
      .select({ pk: people.pk })
      .from(people)
      .where(and(eq(people.pk, personPk), eq(people.passwordHash, passwordHash))),
  passkey: ({ db, tables: { passkeys } }, personPk, { passkeyId }) =>
    db
      .select({ pk: passkeys.pk })
      .from(passkeys)
      .where(and(eq(passkeys.id, passkeyId), eq(passkeys.personPk, personPk))),
  identity: ({ db, tables: { identities } }, personPk, { issuer, subject }) =>
    db
      .select({ pk: identities.pk })
      .from(identities)
      .where(
        and(
          eq(identities.subject, subject),
          eq(identities.issuer, issuer),
          eq(identities.personPk, personPk),
        ),
      ),
  session: (tx, personPk, { sessionId }, now) => findOpenSession(tx, { personPk, sessionId }, now),
};

function findOpenSession(
  { db, tables: { personSessions, memberships } }: Tx,
  { personPk, sessionId }: { personPk: number; sessionId: string },
  now: number,
) {
  const ofSession = and(
    eq(memberships.personPk, personSessions.personPk),
    eq(memberships.organizationPk, personSessions.organizationPk),
    eq(memberships.state, "active"),
  );
  const { pk, method, createdAt } = personSessions;
  return db
    .select({ pk, method, createdAt })
    .from(personSessions)
    .innerJoin(memberships, ofSession)
    .where(
      and(
        eq(personSessions.id, sessionId),
        eq(personSessions.personPk, personPk),
        gt(personSessions.expiresAt, now),
      ),
    );
}

/**
 * Somebody who only has an old session of a person must not get a way in of their own (behavior 19.32).
 *
 * @throws AppError `unauthorized` if the session has ended; `invalid` if its sign-in is too old
 */
export async function assertFreshSession(
  tx: Tx,
  { personId, sessionId }: { personId: string; sessionId: string },
  now: number,
): Promise<void> {
  const { people } = tx.tables;
  const [person] = await tx.db.select({ pk: people.pk }).from(people).where(eq(people.id, personId));
  const [session] = person ? await findOpenSession(tx, { personPk: person.pk, sessionId }, now) : [];
  if (!session) throw unauthorized();
  if (!isFreshSignIn(session, now))
    throw invalid("you must have signed in within the last 5 minutes: sign in again, and then repeat this");
}
