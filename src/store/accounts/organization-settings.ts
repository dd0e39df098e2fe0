import { eq } from "drizzle-orm";
import type { Organization } from "../../domain/accounts/organization.ts";
import { DEFAULT_LANGUAGE, type Language } from "../../domain/pages/reader-locale.ts";
import { findChannelPks } from "../alerts/bindings.ts";
import type { Tx } from "../tx.ts";
import { auditOrganizationUpdate, findOrganization } from "./organizations.ts";

export interface OrganizationSettings extends Organization {
  /** The channels of new monitors that specify none, oldest first (behavior 7.39). */
  defaultAlertChannelIds: string[];
  /** The language of its invitations, and of notifications whose channel has no language (behavior 27.21). */
  language: Language;
}

/** @throws AppError `not_found` */
export async function findSettings(tx: Tx, organizationId: string): Promise<OrganizationSettings> {
  const { pk, language, ...organization } = await findOrganization(tx, organizationId);
  const defaultAlertChannelIds = await defaultChannelIds(tx, pk);
  return { ...organization, defaultAlertChannelIds, language: language ?? DEFAULT_LANGUAGE };
}

export interface SettingsChanges {
  name?: string | undefined;
  defaultAlertChannelIds?: string[] | undefined;
  language?: Language | undefined;
}

/** @throws AppError `invalid` if a default channel does not belong to the organization */
export async function updateSettings(
  tx: Tx,
  organizationId: string,
  { name, defaultAlertChannelIds, language }: SettingsChanges,
): Promise<OrganizationSettings> {
  const { organizations } = tx.tables;
  const before = await findSettings(tx, organizationId);
  const { pk } = await findOrganization(tx, organizationId);
  if (name !== undefined || language !== undefined)
    await tx.db.update(organizations).set({ name, language }).where(eq(organizations.pk, pk));
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
