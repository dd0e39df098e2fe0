import { eq } from "drizzle-orm";
import type { Organization, Plan, Subscription } from "../../domain/accounts/organization.ts";
import { notFound } from "../../errors.ts";
import { createId } from "../ids.ts";
import type { Database, Queries } from "../sqlite/open.ts";
import { organizations } from "../sqlite/schema.ts";

const shown = {
  id: organizations.id,
  name: organizations.name,
  plan: organizations.plan,
  subscription: organizations.subscription,
};

export interface NewOrganization {
  name: string;
  plan: Plan;
  subscription: Subscription;
}

export async function createOrganization(
  db: Database,
  values: NewOrganization,
  now: number,
): Promise<Organization> {
  return insertOrganization(db, values, now);
}

/** To be called within a transaction that makes more than the organization. */
export function insertOrganization(tx: Queries, values: NewOrganization, now: number): Organization {
  return tx
    .insert(organizations)
    .values({ ...values, id: createId(), createdAt: now })
    .returning(shown)
    .get();
}

export async function listOrganizations(db: Database): Promise<Organization[]> {
  return db.select(shown).from(organizations).orderBy(organizations.pk).all();
}

/** @throws AppError `not_found` */
export async function updateOrganization(
  db: Database,
  id: string,
  changes: Partial<NewOrganization>,
): Promise<Organization> {
  const updated = db
    .update(organizations)
    .set(changes)
    .where(eq(organizations.id, id))
    .returning(shown)
    .get();
  if (!updated) throw notFound();
  return updated;
}

/** The inner number of an organization. @throws AppError `not_found` */
export function organizationPk(tx: Queries, id: string): number {
  return findOrganization(tx, id).pk;
}

/** @throws AppError `not_found` */
export function findOrganization(tx: Queries, id: string): typeof organizations.$inferSelect {
  const row = tx.select().from(organizations).where(eq(organizations.id, id)).get();
  if (!row) throw notFound();
  return row;
}
