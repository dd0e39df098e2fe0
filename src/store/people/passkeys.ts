import { and, desc, eq } from "drizzle-orm";
import { fault } from "../../domain/faults/fault.ts";
import type {
  KnownCredential,
  NewCredential,
  StoredCredential,
} from "../../domain/people/webauthn/ceremony.ts";
import { notFound } from "../../errors.ts";
import { createId } from "../ids.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { assertWayInLeft } from "./people.ts";
import { personPkOf } from "./person-sessions.ts";
import { assertFreshSession, auditOwnChange, type OwnWay } from "./proof.ts";

/** A passkey as its person sees it. Times are milliseconds since 1970. */
export interface Passkey {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** A verified credential, with a name for people. */
export interface NamedCredential {
  credential: NewCredential;
  name: string;
}

/** Each person has few devices. A limit keeps the options short, which list all passkeys. */
const MOST = 20;

/**
 * Adds a passkey to the person of a session that began a moment ago (behavior 19.32).
 *
 * @throws AppError `unauthorized` if the session has ended; `invalid` if its sign-in is too old, if somebody has this credential, or the
 * person too many
 */
export async function createPasskey(
  tx: TimedTx,
  {
    personId,
    sessionId,
    organizationId,
    ...given
  }: NamedCredential & { personId: string; sessionId: string; organizationId?: string },
): Promise<Passkey> {
  await assertFreshSession(tx, { personId, sessionId });
  const passkey = await insertPasskey(tx, await personPkOf(tx, personId), given);
  await auditOwnChange(tx, { organizationId, changed: "methods" });
  return passkey;
}

/** @throws AppError as `createPasskey` */
export async function insertPasskey(
  { db, tables: { passkeys }, now }: TimedTx,
  personPk: number,
  { credential, name }: NamedCredential,
): Promise<Passkey> {
  const own = await db.select({ pk: passkeys.pk }).from(passkeys).where(eq(passkeys.personPk, personPk));
  if (own.length >= MOST) throw fault("passkeys", { count: MOST });
  const passkey = { id: createId(), name, createdAt: now, lastUsedAt: null };
  const created = await db
    .insert(passkeys)
    .values({ ...passkey, ...credential, personPk })
    .onConflictDoNothing({ target: passkeys.credentialId })
    .returning({ pk: passkeys.pk });
  if (created.length === 0) throw fault("passkeyRegistered", {});
  return passkey;
}

/** Whether anybody on this server has a passkey. */
export async function anyPasskeys({ db, tables: { passkeys } }: Tx): Promise<boolean> {
  const [one] = await db.select({ pk: passkeys.pk }).from(passkeys).limit(1);
  return one !== undefined;
}

/** The latest first. */
export async function listPasskeys(tx: Tx, personId: string): Promise<Passkey[]> {
  const { passkeys } = tx.tables;
  const { id, name, createdAt, lastUsedAt } = passkeys;
  return tx.db
    .select({ id, name, createdAt, lastUsedAt })
    .from(passkeys)
    .where(eq(passkeys.personPk, await personPkOf(tx, personId)))
    .orderBy(desc(passkeys.pk));
}

/** The passkeys of a person as their browser knows them. */
export async function listCredentials(tx: Tx, personId: string): Promise<KnownCredential[]> {
  const { passkeys } = tx.tables;
  const { credentialId, transports } = passkeys;
  return tx.db
    .select({ credentialId, transports })
    .from(passkeys)
    .where(eq(passkeys.personPk, await personPkOf(tx, personId)))
    .orderBy(passkeys.pk);
}

/** A passkey as a sign-in is verified by it. */
export interface FoundPasskey extends StoredCredential {
  id: string;
  email: string;
}

/** @returns undefined if nobody has the credential */
export async function findPasskey(
  { db, tables: { people, passkeys } }: Tx,
  credentialId: Uint8Array,
): Promise<FoundPasskey | undefined> {
  const { id, publicKey, counter, isBackupEligible } = passkeys;
  const [found] = await db
    .select({ id, personId: people.id, email: people.email, publicKey, counter, isBackupEligible })
    .from(passkeys)
    .innerJoin(people, eq(people.pk, passkeys.personPk))
    .where(eq(passkeys.credentialId, credentialId));
  return found;
}

/** Notes a sign-in with a passkey. */
export async function notePasskeyUse(
  { db, tables: { passkeys }, now }: TimedTx,
  { id, counter, isBackedUp }: { id: string; counter: number; isBackedUp: boolean },
): Promise<void> {
  await db.update(passkeys).set({ counter, isBackedUp, lastUsedAt: now }).where(eq(passkeys.id, id));
}

/** @throws AppError `not_found` for a passkey of somebody else; `invalid` if the person would have no way to sign in */
export async function deletePasskey(
  tx: Tx,
  { personId, id, organizationId, usable }: OwnWay,
): Promise<{ id: string }> {
  const { passkeys } = tx.tables;
  const personPk = await personPkOf(tx, personId);
  const own = and(eq(passkeys.id, id), eq(passkeys.personPk, personPk));
  const deleted = await tx.db.delete(passkeys).where(own).returning({ id: passkeys.id });
  if (deleted.length === 0) throw notFound();
  await assertWayInLeft(tx, personPk, usable);
  await auditOwnChange(tx, { organizationId, changed: "methods" });
  return { id };
}
