import { eq } from "drizzle-orm";
import { changedFields } from "../../domain/accounts/audit.ts";
import { oldValues } from "../../domain/accounts/old-values.ts";
import type { Organization, Plan, Subscription } from "../../domain/accounts/organization.ts";
import type { Language } from "../../domain/pages/reader-locale.ts";
import { notFound } from "../../errors.ts";
import { audit } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import type { Sql, TimedTx, Tx } from "../tx.ts";

export interface NewOrganization {
  name: string;
  plan: Plan;
  subscription: Subscription;
}

export async function createOrganization(
  { db, tables: { organizations }, now }: TimedTx,
  values: NewOrganization,
): Promise<Organization> {
  const row = { ...values, id: createId(), createdAt: now };
  const [created] = await db.insert(organizations).values(row).returning(organizationColumns(organizations));
  if (!created) throw new Error("the insert returned no organization");
  return created;
}

/** Oldest first. */
export async function listOrganizations({ db, tables: { organizations } }: Tx): Promise<Organization[]> {
  return db.select(organizationColumns(organizations)).from(organizations).orderBy(organizations.pk);
}

/** @throws AppError `not_found` */
export async function updateOrganization(
  tx: Tx,
  id: string,
  changes: Partial<NewOrganization>,
): Promise<Organization> {
  const { organizations } = tx.tables;
  const { pk, ...before } = await findOrganization(tx, id);
  const [updated] = await tx.db
    .update(organizations)
    .set(changes)
    .where(eq(organizations.pk, pk))
    .returning(organizationColumns(organizations));
  if (!updated) throw notFound();
  await auditOrganizationUpdate(tx, pk, { before, after: updated });
  return updated;
}

/** Writes nothing if no field has another value. */
export async function auditOrganizationUpdate<Values extends Organization>(
  tx: Tx,
  organizationPk: number,
  { before, after }: { before: Values; after: Values },
): Promise<void> {
  const changed = changedFields(before, after);
  if (changed.length === 0) return;
  const resource = { type: "organization", id: after.id, name: after.name } as const;
  const old = oldValues({ type: "organization", before, after, changed });
  await audit(tx, { organizationPk, action: "organization.updated", resource, changed, before: old });
}

/** The internal number of an organization. @throws AppError `not_found` */
export async function organizationPk({ query }: Sql, id: string): Promise<number> {
  const [row] = await query<{ pk: number }>("SELECT pk FROM organizations WHERE id = $1", [id]);
  if (!row) throw notFound();
  return row.pk;
}

/** @property language null if it has chosen none @throws AppError `not_found` */
export async function findOrganization(
  { db, tables: { organizations } }: Tx,
  id: string,
): Promise<Organization & { pk: number; language: Language | null }> {
  const { pk, language } = organizations;
  const [row] = await db
    .select({ pk, language, ...organizationColumns(organizations) })
    .from(organizations)
    .where(eq(organizations.id, id));
  if (!row) throw notFound();
  return row;
}

/** The columns of an organization. */
function organizationColumns({ id, name, plan, subscription }: Tx["tables"]["organizations"]) {
  return { id, name, plan, subscription };
}
