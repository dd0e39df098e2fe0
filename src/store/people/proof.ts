import { and, eq, gt, inArray, lte } from "drizzle-orm";
import { fault } from "../../domain/faults/fault.ts";
import { isFreshSignIn, type Method } from "../../domain/people/person.ts";
import { unauthorized } from "../../errors.ts";
import { hashKey } from "../accounts/api-keys.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { audit } from "../audit/audit.ts";
import type { TimedTx, Tx } from "../tx.ts";

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
export async function assertStillProved(tx: TimedTx, personPk: number, proof: Proof): Promise<void> {
  const found = await finders[proof.by](tx, personPk, proof as never, tx.now);
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
  tx: TimedTx,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<void> {
  const { people } = tx.tables;
  const [person] = await tx.db.select({ pk: people.pk }).from(people).where(eq(people.id, personId));
  const [session] = person ? await findOpenSession(tx, { personPk: person.pk, sessionId }, tx.now) : [];
  if (!session) throw unauthorized();
  if (!isFreshSignIn(session, tx.now)) throw fault("signInAgain", {});
}

/** The key by which what strangers begin is sealed; undefined before the first start. */
export async function findSealKey({ db, tables: { sealKeys } }: Tx): Promise<Uint8Array | undefined> {
  const [found] = await db.select({ key: sealKeys.key }).from(sealKeys);
  return found?.key;
}

/** Stores the key, unless another node was first. @returns the stored one */
export async function storeSealKey(tx: Tx, drawn: Uint8Array): Promise<Uint8Array> {
  await tx.db.insert(tx.tables.sealKeys).values({ pk: 1, key: drawn }).onConflictDoNothing();
  const stored = await findSealKey(tx);
  if (!stored) throw new Error("the insert stored no key");
  return stored;
}

/** @property until when the text ends by itself @property keptFor, by the IDs of people: see `Beginnings.use` */
export interface BeginningUse {
  text: string;
  until: number;
  keptFor?: string;
  by?: string;
}

/** Notes that a state or a challenge was used, of which only its hash is stored. @returns false if it was used before */
export async function useBeginning(
  { db, tables: { usedBeginnings } }: Tx,
  { text, until, keptFor, by }: BeginningUse,
): Promise<boolean> {
  const kept = keptFor ?? null;
  const used = await db
    .insert(usedBeginnings)
    .values({ hash: hashKey(text), keptFor: kept, expiresAt: until })
    .onConflictDoUpdate({
      target: usedBeginnings.hash,
      set: { keptFor: kept },
      setWhere: eq(usedBeginnings.keptFor, by ?? ""),
    })
    .returning({ hash: usedBeginnings.hash });
  return used.length > 0;
}

/** How many rows are deleted at once. */
const BATCH = 1000;

/** Deletes some of those that have ended by themselves. @returns whether there may be more */
export async function pruneUsedBeginnings({
  db,
  tables: { usedBeginnings },
  now,
}: TimedTx): Promise<boolean> {
  const { hash, expiresAt } = usedBeginnings;
  const ended = db.select({ hash }).from(usedBeginnings).where(lte(expiresAt, now)).limit(BATCH);
  const deleted = await db.delete(usedBeginnings).where(inArray(hash, ended)).returning({ hash });
  return deleted.length === BATCH;
}

/** A way in that its person removes. @property organizationId of the session @property usable the ways that this server offers */
export interface OwnWay {
  personId: string;
  id: string;
  organizationId?: string | undefined;
  usable: readonly Method[];
}

/**
 * Writes what people change about their ways to sign in to the audit log. Nothing is written without an author.
 *
 * @param organizationId the organization of the session
 */
export async function auditOwnChange(
  tx: Tx,
  { organizationId, changed }: { organizationId: string | undefined; changed: string },
): Promise<void> {
  const { author } = tx;
  if (author?.actor.type !== "person" || author.actor.id === null || organizationId === undefined) return;
  const { id, name } = author.actor;
  await audit(tx, {
    organizationPk: await organizationPk(tx, organizationId),
    action: "person.updated",
    resource: { type: "person", id, name },
    changed: [changed],
  });
}
