import { and, eq, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { ApiKey, Caller } from "../../domain/accounts/api-key.ts";
import type { Role } from "../../domain/accounts/role.ts";
import { notFound } from "../../errors.ts";
import { type Audited, auditCreation, auditDeletion, auditUpdate } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import { keepingWayIn } from "../people/given-role.ts";
import { preparedOnce, type TimedTx, type Tx } from "../tx.ts";
import { organizationPk } from "./organizations.ts";

const PREFIX_LENGTH = 16;

export interface NewApiKey {
  organizationId: string;
  name: string;
  role: Role;
  /** Milliseconds since 1970; null if it does not expire. */
  expiresAt: number | null;
  /** In plain text; only its hash and its first characters are stored. */
  key: string;
}

/** @throws AppError `not_found` if the organization does not exist */
export async function createApiKey(
  tx: TimedTx,
  { organizationId, key, ...values }: NewApiKey,
): Promise<ApiKey> {
  const { apiKeys } = tx.tables;
  const row = {
    ...values,
    id: createId(),
    organizationPk: await organizationPk(tx, organizationId),
    hash: hashKey(key),
    prefix: key.slice(0, PREFIX_LENGTH),
    createdAt: tx.now,
  };
  const [created] = await tx.db.insert(apiKeys).values(row).returning(apiKeyColumns(apiKeys));
  if (!created) throw new Error("the insert returned no key");
  const { name, role, expiresAt } = values;
  const given = { name, role, expiresAt: expiresAt ?? undefined };
  await auditCreation(tx, auditedKey(created, row.organizationPk), given);
  return created;
}

/** The keys of one organization, or of all; oldest first. @throws AppError `not_found` if the organization does not exist */
export async function listApiKeys(tx: Tx, organizationId?: string): Promise<ApiKey[]> {
  const { apiKeys } = tx.tables;
  return tx.db
    .select(apiKeyColumns(apiKeys))
    .from(apiKeys)
    .where(await ofOrganization(tx, organizationId))
    .orderBy(apiKeys.pk);
}

export interface ApiKeyChanges {
  name?: string | undefined;
  role?: Role | undefined;
  expiresAt?: number | null | undefined;
}

/** @throws AppError `not_found` */
export async function updateApiKey(
  tx: Tx,
  organizationId: string,
  id: string,
  { name, role, expiresAt }: ApiKeyChanges,
): Promise<ApiKey> {
  const { apiKeys } = tx.tables;
  const thisKey = and(eq(apiKeys.id, id), await ofOrganization(tx, organizationId));
  const [found] = await tx.db
    .select({ organization: apiKeys.organizationPk, ...apiKeyColumns(apiKeys) })
    .from(apiKeys)
    .where(thisKey);
  if (!found) throw notFound();
  const { organization, ...before } = found;
  const changes = {
    name: name ?? before.name,
    role: role ?? before.role,
    expiresAt: expiresAt === undefined ? before.expiresAt : expiresAt,
  };
  const [updated] = await keepingWayIn(tx, organization, () =>
    tx.db.update(apiKeys).set(changes).where(thisKey).returning(apiKeyColumns(apiKeys)),
  );
  if (!updated) throw notFound();
  await auditUpdate(tx, auditedKey(updated, organization), { before, after: updated });
  return updated;
}

/** @param organizationId deletes only a key of this organization @throws AppError `not_found` */
export async function deleteApiKey(tx: Tx, id: string, organizationId?: string): Promise<{ id: string }> {
  const { apiKeys } = tx.tables;
  const thisKey = and(eq(apiKeys.id, id), await ofOrganization(tx, organizationId));
  const [found] = await tx.db.select({ organization: apiKeys.organizationPk }).from(apiKeys).where(thisKey);
  const [deleted] = found
    ? await keepingWayIn(tx, found.organization, () => tx.db.delete(apiKeys).where(thisKey).returning())
    : [];
  if (!deleted) throw notFound();
  await auditDeletion(tx, auditedKey(deleted, deleted.organizationPk), deleted);
  return { id };
}

function auditedKey({ id, name }: { id: string; name: string }, organizationPk: number): Audited {
  return { organizationPk, type: "api_key", id, name };
}

/** Only `undefined` selects the keys of all organizations. An empty ID is the ID of an unknown organization. */
async function ofOrganization(tx: Tx, organizationId: string | undefined): Promise<SQL | undefined> {
  if (organizationId === undefined) return undefined;
  return eq(tx.tables.apiKeys.organizationPk, await organizationPk(tx, organizationId));
}

/** @param uses the last use of each key by its ID, in milliseconds since 1970 */
export async function saveLastUses(
  { db, tables: { apiKeys } }: Tx,
  uses: Map<string, number>,
): Promise<void> {
  // In the same order on all nodes, so that they do not deadlock.
  for (const [id, lastUsedAt] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const isLater = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, lastUsedAt));
    await db
      .update(apiKeys)
      .set({ lastUsedAt })
      .where(and(eq(apiKeys.id, id), isLater));
  }
}

/** The caller with the key of this hash, also if the key has expired; undefined if the key is unknown. */
export async function findCaller(tx: Tx, hash: Uint8Array): Promise<Caller | undefined> {
  const [found] = await selectCaller(tx).execute({ hash });
  return found && callerOf(found);
}

/** Prepared, because each request with a bad key runs it. */
const selectCaller = preparedOnce(({ db, tables }) => {
  const { apiKeys, organizations } = tables;
  return db
    .select(callerColumns(tables))
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.pk, apiKeys.organizationPk))
    .where(eq(apiKeys.hash, sql.placeholder("hash")))
    .prepare();
});

/** The columns of a caller with a key, from a join of keys and organizations: see `callerOf`. */
export function callerColumns({ apiKeys, organizations }: Tx["tables"]) {
  return {
    keyId: apiKeys.id,
    keyName: apiKeys.name,
    role: apiKeys.role,
    expiresAt: apiKeys.expiresAt,
    organizationId: organizations.id,
    plan: organizations.plan,
    subscription: organizations.subscription,
  };
}

/** The caller of such a row. */
export function callerOf<Rest>({
  keyId: id,
  keyName: name,
  ...rest
}: Rest & { keyId: string; keyName: string }) {
  return { actor: { type: "key" as const, id, name }, ...rest };
}

/** The SHA-256 of a key, or of the token of a session. Neither is stored in plain text. */
export function hashKey(key: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(key).digest();
}

/** The columns of a key without its hash. */
function apiKeyColumns({
  id,
  name,
  prefix,
  role,
  expiresAt,
  lastUsedAt,
  createdAt,
}: Tx["tables"]["apiKeys"]) {
  return { id, name, keyPrefix: prefix, role, expiresAt, lastUsedAt, createdAt };
}
