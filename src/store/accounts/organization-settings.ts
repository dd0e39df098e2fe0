import { eq } from "drizzle-orm";
import type { Organization } from "../../domain/accounts/organization.ts";
import { findChannelPks } from "../alerting/bindings.ts";
import type { Database, Queries } from "../sqlite/open.ts";
import { alertChannels, defaultChannels, organizations } from "../sqlite/schema.ts";
import { findOrganization } from "./organizations.ts";

export interface OrganizationSettings extends Organization {
  defaultAlertChannelIds: string[];
}

export async function findSettings(db: Database, organizationId: string): Promise<OrganizationSettings> {
  return readSettings(db, organizationId);
}

export interface SettingsChanges {
  name?: string | undefined;
  defaultAlertChannelIds?: string[] | undefined;
}

/** @throws AppError `invalid` for a default channel that is none of the organization */
export async function updateSettings(
  db: Database,
  organizationId: string,
  { name, defaultAlertChannelIds }: SettingsChanges,
): Promise<OrganizationSettings> {
  return db.transaction(
    (tx) => {
      const { pk } = findOrganization(tx, organizationId);
      if (name !== undefined) tx.update(organizations).set({ name }).where(eq(organizations.pk, pk)).run();
      if (defaultAlertChannelIds) replaceDefaults(tx, pk, defaultAlertChannelIds);
      return readSettings(tx, organizationId);
    },
    { behavior: "immediate" },
  );
}

/** What a new monitor is bound to if it names no channels. */
export function defaultChannelIds(tx: Queries, organizationPk: number): string[] {
  return tx
    .select({ id: alertChannels.id })
    .from(defaultChannels)
    .innerJoin(alertChannels, eq(alertChannels.pk, defaultChannels.channelPk))
    .where(eq(defaultChannels.organizationPk, organizationPk))
    .orderBy(alertChannels.pk)
    .all()
    .map(({ id }) => id);
}

function readSettings(tx: Queries, organizationId: string): OrganizationSettings {
  const { pk, id, name, plan, subscription } = findOrganization(tx, organizationId);
  return { id, name, plan, subscription, defaultAlertChannelIds: defaultChannelIds(tx, pk) };
}

function replaceDefaults(tx: Queries, organizationPk: number, channelIds: string[]): void {
  const channelPks = findChannelPks(tx, { organizationPk, channelIds, field: "defaultAlertChannelIds" });
  tx.delete(defaultChannels).where(eq(defaultChannels.organizationPk, organizationPk)).run();
  for (const channelPk of channelPks) tx.insert(defaultChannels).values({ organizationPk, channelPk }).run();
}
