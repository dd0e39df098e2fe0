import { eq } from "drizzle-orm";
import { changedFields } from "../../domain/accounts/audit.ts";
import type { Organization, Plan, Subscription } from "../../domain/accounts/organization.ts";
import { notFound } from "../../errors.ts";
import { findChannelPks } from "../alerts/bindings.ts";
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
async function auditOrganizationUpdate<Values extends Organization>(
  tx: Tx,
  organizationPk: number,
  { before, after }: { before: Values; after: Values },
): Promise<void> {
  const changed = changedFields(before, after);
  if (changed.length === 0) return;
  const resource = { type: "organization", id: after.id, name: after.name } as const;
  await audit(tx, { organizationPk, action: "organization.updated", resource, changed });
}

/** The internal number of an organization. @throws AppError `not_found` */
export async function organizationPk({ query }: Sql, id: string): Promise<number> {
  const [row] = await query<{ pk: number }>("SELECT pk FROM organizations WHERE id = $1", [id]);
  if (!row) throw notFound();
  return row.pk;
}

/** @throws AppError `not_found` */
export async function findOrganization(
  { db, tables: { organizations } }: Tx,
  id: string,
): Promise<Organization & { pk: number }> {
  const [row] = await db
    .select({ pk: organizations.pk, ...organizationColumns(organizations) })
    .from(organizations)
    .where(eq(organizations.id, id));
  if (!row) throw notFound();
  return row;
}

/** The columns of an organization. */
function organizationColumns({ id, name, plan, subscription }: Tx["tables"]["organizations"]) {
  return { id, name, plan, subscription };
}

export interface OrganizationSettings extends Organization {
  /** The channels of new monitors that specify none, oldest first (behavior 7.39). */
  defaultAlertChannelIds: string[];
}

/** @throws AppError `not_found` */
export async function findSettings(tx: Tx, organizationId: string): Promise<OrganizationSettings> {
  const { pk, ...organization } = await findOrganization(tx, organizationId);
  return { ...organization, defaultAlertChannelIds: await defaultChannelIds(tx, pk) };
}

export interface SettingsChanges {
  name?: string | undefined;
  defaultAlertChannelIds?: string[] | undefined;
}

/** @throws AppError `invalid` if a default channel does not belong to the organization */
export async function updateSettings(
  tx: Tx,
  organizationId: string,
  { name, defaultAlertChannelIds }: SettingsChanges,
): Promise<OrganizationSettings> {
  const { organizations } = tx.tables;
  const before = await findSettings(tx, organizationId);
  const { pk } = await findOrganization(tx, organizationId);
  if (name !== undefined) await tx.db.update(organizations).set({ name }).where(eq(organizations.pk, pk));
  if (defaultAlertChannelIds) await replaceDefaults(tx, pk, defaultAlertChannelIds);
  const after = await findSettings(tx, organizationId);
  await auditOrganizationUpdate(tx, pk, { before, after });
  return after;
}

/** The IDs of the channels of new monitors that specify none, oldest first. */
export async function defaultChannelIds(
  { db, tables: { alertChannels, defaultChannels } }: Tx,
  organizationPk: number,
): Promise<string[]> {
  const rows = await db
    .select({ id: alertChannels.id })
    .from(defaultChannels)
    .innerJoin(alertChannels, eq(alertChannels.pk, defaultChannels.channelPk))
    .where(eq(defaultChannels.organizationPk, organizationPk))
    .orderBy(alertChannels.pk);
  return rows.map(({ id }) => id);
}

async function replaceDefaults(tx: Tx, organizationPk: number, channelIds: string[]): Promise<void> {
  const { defaultChannels } = tx.tables;
  const fieldOf = (at: number) => `defaultAlertChannelIds.${at}`;
  const channelPks = await findChannelPks(tx, { organizationPk, channelIds, fieldOf });
  await tx.db.delete(defaultChannels).where(eq(defaultChannels.organizationPk, organizationPk));
  const rows = [...channelPks.values()].map((channelPk) => ({ organizationPk, channelPk }));
  if (rows.length > 0) await tx.db.insert(defaultChannels).values(rows);
}
