import { and, eq, sql } from "drizzle-orm";
import type { ApiKey, Caller } from "../../domain/accounts/api-key.ts";
import type { Role } from "../../domain/accounts/role.ts";
import { notFound } from "../../errors.ts";
import { createId } from "../ids.ts";
import { commitWithoutSync } from "../sqlite/durability.ts";
import { oncePerDatabase } from "../sqlite/once-per-database.ts";
import type { Database, Queries } from "../sqlite/open.ts";
import { apiKeys, organizations } from "../sqlite/schema.ts";
import { organizationPk } from "./organizations.ts";

const PREFIX_LENGTH = 16;

const shown = {
  id: apiKeys.id,
  name: apiKeys.name,
  keyPrefix: apiKeys.prefix,
  role: apiKeys.role,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
  createdAt: apiKeys.createdAt,
};

export interface NewApiKey {
  organizationId: string;
  name: string;
  role: Role;
  expiresAt: number | null;
  /** In plain text; only its hash and its first characters are kept. */
  key: string;
}

/** @throws AppError `not_found` where the organization doesn't exist */
export async function createApiKey(db: Database, values: NewApiKey, now: number): Promise<ApiKey> {
  return insertApiKey(db, values, now);
}

/** To be called within a transaction that makes more than the key. */
export function insertApiKey(
  tx: Queries,
  { organizationId, key, ...values }: NewApiKey,
  now: number,
): ApiKey {
  return tx
    .insert(apiKeys)
    .values({
      ...values,
      id: createId(),
      organizationPk: organizationPk(tx, organizationId),
      hash: hashKey(key),
      prefix: key.slice(0, PREFIX_LENGTH),
      createdAt: now,
    })
    .returning(shown)
    .get();
}

/** The keys of one organization, or of all. @throws AppError `not_found` if the organization doesn't exist */
export async function listApiKeys(db: Database, organizationId?: string): Promise<ApiKey[]> {
  return db.select(shown).from(apiKeys).where(ofOrganization(db, organizationId)).orderBy(apiKeys.pk).all();
}

export interface ApiKeyChanges {
  name?: string | undefined;
  role?: Role | undefined;
  expiresAt?: number | null | undefined;
}

/** @throws AppError `not_found` */
export async function updateApiKey(
  db: Database,
  organizationId: string,
  id: string,
  { name, role, expiresAt }: ApiKeyChanges,
): Promise<ApiKey> {
  return db.transaction(
    (tx) => {
      const its = and(eq(apiKeys.id, id), eq(apiKeys.organizationPk, organizationPk(tx, organizationId)));
      const before = tx.select().from(apiKeys).where(its).get();
      if (!before) throw notFound();
      const changes = {
        name: name ?? before.name,
        role: role ?? before.role,
        expiresAt: expiresAt === undefined ? before.expiresAt : expiresAt,
      };
      return tx.update(apiKeys).set(changes).where(its).returning(shown).get();
    },
    { behavior: "immediate" },
  );
}

/** @param organizationId where only a key of one organization may go @throws AppError `not_found` */
export async function deleteApiKey(
  db: Database,
  id: string,
  organizationId?: string,
): Promise<{ id: string }> {
  const its = and(eq(apiKeys.id, id), ofOrganization(db, organizationId));
  const deleted = db.delete(apiKeys).where(its).returning({ id: apiKeys.id }).get();
  if (!deleted) throw notFound();
  return deleted;
}

/** An empty ID is an unknown organization: only `undefined` selects the keys of all. */
function ofOrganization(db: Database, organizationId: string | undefined) {
  if (organizationId === undefined) return undefined;
  return eq(apiKeys.organizationPk, organizationPk(db, organizationId));
}

/** @param uses when each key, by its ID, was last used */
export async function saveLastUses(db: Database, uses: Map<string, number>): Promise<void> {
  commitWithoutSync(db, (tx) => {
    for (const [id, lastUsedAt] of uses)
      tx.update(apiKeys).set({ lastUsedAt }).where(eq(apiKeys.id, id)).run();
  });
}

/** The columns that make a caller. */
export const asCaller = {
  keyId: apiKeys.id,
  role: apiKeys.role,
  expiresAt: apiKeys.expiresAt,
  organizationId: organizations.id,
  plan: organizations.plan,
  subscription: organizations.subscription,
};

/** Who holds the key with this hash, or nothing where it is unknown. Whether it has expired is left to the caller. */
export async function findCaller(db: Database, hash: Uint8Array): Promise<Caller | undefined> {
  return selectCaller(db).get({ hash });
}

/** A flood of bad keys comes here with each of them. */
const selectCaller = oncePerDatabase((db) =>
  db
    .select(asCaller)
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.pk, apiKeys.organizationPk))
    .where(eq(apiKeys.hash, sql.placeholder("hash")))
    .prepare(),
);

/** All that is kept of a key (interface 5.3). */
export function hashKey(key: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(key).digest();
}
