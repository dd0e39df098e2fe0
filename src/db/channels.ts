import { and, count, eq } from "drizzle-orm";
import {
  type AlertChannel,
  type ChannelConfig,
  type ChannelType,
  parseChannelConfig,
} from "../domain/channel.ts";
import { type Plan, planLimits } from "../domain/organization.ts";
import { AppError, notFound } from "../errors.ts";
import { createId } from "./ids.ts";
import type { Database } from "./open.ts";
import { organizationPk } from "./organizations.ts";
import { alertBindings, alertChannels, monitors } from "./schema.ts";

const shown = {
  id: alertChannels.id,
  name: alertChannels.name,
  type: alertChannels.type,
  config: alertChannels.config,
  enabled: alertChannels.enabled,
  createdAt: alertChannels.createdAt,
  updatedAt: alertChannels.updatedAt,
};

export interface NewChannel {
  name: string;
  type: ChannelType;
  config: ChannelConfig;
  enabled: boolean;
}

/** @throws AppError `limit_reached` where the plan allows no more channels */
export async function createChannel(
  db: Database,
  owner: { organizationId: string; plan: Plan },
  values: NewChannel,
  now: number,
): Promise<AlertChannel> {
  return db.transaction(
    (tx) => {
      const organization = organizationPk(tx, owner.organizationId);
      const its = eq(alertChannels.organizationPk, organization);
      const total = tx.select({ count: count() }).from(alertChannels).where(its).get()?.count ?? 0;
      if (total >= planLimits[owner.plan].channels) {
        throw new AppError("limit_reached", "Alert channel limit reached");
      }
      const row = { ...values, id: createId(), organizationPk: organization, createdAt: now, updatedAt: now };
      return tx.insert(alertChannels).values(row).returning(shown).get();
    },
    { behavior: "immediate" },
  );
}

export interface ChannelWithBindings extends AlertChannel {
  monitorIds: string[];
}

export async function listChannels(db: Database, organizationId: string): Promise<ChannelWithBindings[]> {
  const its = eq(alertChannels.organizationPk, organizationPk(db, organizationId));
  const rows = db
    .select({ pk: alertChannels.pk, ...shown })
    .from(alertChannels)
    .where(its)
    .orderBy(alertChannels.pk)
    .all();
  return rows.map((row) => withBindings(db, row));
}

/** @throws AppError `not_found` */
export async function findChannel(
  db: Database,
  organizationId: string,
  id: string,
): Promise<ChannelWithBindings> {
  const row = db
    .select({ pk: alertChannels.pk, ...shown })
    .from(alertChannels)
    .where(
      and(eq(alertChannels.id, id), eq(alertChannels.organizationPk, organizationPk(db, organizationId))),
    )
    .get();
  if (!row) throw notFound();
  return withBindings(db, row);
}

export interface ChannelChanges {
  name?: string | undefined;
  /** As the request gives it: only the stored type tells whether it fits. */
  config?: unknown;
  enabled?: boolean | undefined;
}

/** @throws AppError `not_found`, then `invalid` for a config that doesn't fit the type */
export async function updateChannel(
  db: Database,
  organizationId: string,
  id: string,
  { name, config, enabled }: ChannelChanges,
  now: number,
): Promise<AlertChannel> {
  return db.transaction(
    (tx) => {
      const its = and(
        eq(alertChannels.id, id),
        eq(alertChannels.organizationPk, organizationPk(tx, organizationId)),
      );
      const before = tx.select().from(alertChannels).where(its).get();
      if (!before) throw notFound();
      const changes = {
        name: name ?? before.name,
        config: config === undefined ? before.config : parseChannelConfig(before.type, config),
        enabled: enabled ?? before.enabled,
        updatedAt: now,
      };
      return tx.update(alertChannels).set(changes).where(its).returning(shown).get();
    },
    { behavior: "immediate" },
  );
}

/** Its bindings go with it. @throws AppError `not_found` */
export async function deleteChannel(
  db: Database,
  organizationId: string,
  id: string,
): Promise<{ id: string }> {
  const its = and(
    eq(alertChannels.id, id),
    eq(alertChannels.organizationPk, organizationPk(db, organizationId)),
  );
  const deleted = db.delete(alertChannels).where(its).returning({ id: alertChannels.id }).get();
  if (!deleted) throw notFound();
  return deleted;
}

function withBindings(db: Database, { pk, ...channel }: AlertChannel & { pk: number }): ChannelWithBindings {
  const bound = db
    .select({ id: monitors.id })
    .from(alertBindings)
    .innerJoin(monitors, eq(monitors.pk, alertBindings.monitorPk))
    .where(eq(alertBindings.channelPk, pk))
    .orderBy(monitors.pk)
    .all();
  return { ...channel, monitorIds: bound.map(({ id }) => id) };
}
