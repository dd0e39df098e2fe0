import { and, count, eq, sql } from "drizzle-orm";
import { type Plan, planLimits } from "../../domain/accounts/organization.ts";
import {
  type AlertChannel,
  type ChannelConfig,
  type ChannelType,
  parseChannelConfig,
} from "../../domain/alerts/channel.ts";
import { EVERY_GROUP, type NotifyOn, sortedNotifyOn } from "../../domain/alerts/notify.ts";
import { AppError, notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { createId } from "../ids.ts";
import type { Database, Queries } from "../sqlite/open.ts";
import { alertBindings, alertChannels, deletedChannels, monitors } from "../sqlite/schema.ts";
import { cancelPending, retryNow } from "./delivery-cancellation.ts";

const shown = {
  id: alertChannels.id,
  name: alertChannels.name,
  type: alertChannels.type,
  config: alertChannels.config,
  enabled: alertChannels.enabled,
  notifyOn: alertChannels.notifyOn,
  createdAt: alertChannels.createdAt,
  updatedAt: alertChannels.updatedAt,
};

export interface NewChannel {
  name: string;
  type: ChannelType;
  config: ChannelConfig;
  enabled: boolean;
  /** Every transition, where it is left out. */
  notifyOn?: NotifyOn | undefined;
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
      const notifyOn = sortedNotifyOn(values.notifyOn ?? EVERY_GROUP);
      const row = { ...values, notifyOn, id: createId(), organizationPk: organization };
      return tx
        .insert(alertChannels)
        .values({ ...row, createdAt: now, updatedAt: now })
        .returning(shown)
        .get();
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
  const row = findRow(db, organizationId, id);
  if (!row) throw notFound();
  return withBindings(db, row);
}

export interface ChannelChanges {
  name?: string | undefined;
  /** As the request gives it: only the stored type tells whether it fits. */
  config?: unknown;
  enabled?: boolean | undefined;
  notifyOn?: NotifyOn | undefined;
}

/**
 * What waits for a channel that is disabled ends as failed. After a new config, what waits is tried again at once: the
 * old one may have been why it waits. A new `notifyOn` counts for the transitions that follow.
 *
 * @throws AppError `not_found`, then `invalid` for a config that doesn't fit the type
 */
export async function updateChannel(
  db: Database,
  organizationId: string,
  id: string,
  changes: ChannelChanges,
  now: number,
): Promise<AlertChannel> {
  return db.transaction(
    (tx) => {
      const before = findRow(tx, organizationId, id);
      if (!before) throw notFound();
      const { pk, name, type, enabled, notifyOn } = before;
      const config = changes.config === undefined ? before.config : parseChannelConfig(type, changes.config);
      const row = {
        name: changes.name ?? name,
        config,
        enabled: changes.enabled ?? enabled,
        notifyOn: sortedNotifyOn(changes.notifyOn ?? notifyOn),
        updatedAt: now,
      };
      const isSame = Bun.deepEquals(config, before.config);
      if (!row.enabled) cancelPending(tx, { channelPk: pk }, "the channel was disabled");
      else if (!isSame) retryNow(tx, pk, now);
      return tx
        .update(alertChannels)
        .set({ ...row, ...(!isSame && { revision: sql`${alertChannels.revision} + 1` }) })
        .where(eq(alertChannels.pk, pk))
        .returning(shown)
        .get();
    },
    { behavior: "immediate" },
  );
}

/**
 * Its bindings go with it. What waits for it counts as failed from now on, and is marked so in the background; its
 * deliveries stay on the results.
 *
 * @throws AppError `not_found`
 */
export async function deleteChannel(
  db: Database,
  organizationId: string,
  id: string,
): Promise<{ id: string }> {
  return db.transaction(
    (tx) => {
      const channel = findRow(tx, organizationId, id);
      if (!channel) throw notFound();
      tx.insert(deletedChannels).values({ pk: channel.pk }).run();
      tx.delete(alertChannels).where(eq(alertChannels.pk, channel.pk)).run();
      return { id };
    },
    { behavior: "immediate" },
  );
}

function findRow(
  tx: Queries,
  organizationId: string,
  id: string,
): (AlertChannel & { pk: number }) | undefined {
  const its = eq(alertChannels.organizationPk, organizationPk(tx, organizationId));
  return tx
    .select({ pk: alertChannels.pk, ...shown })
    .from(alertChannels)
    .where(and(eq(alertChannels.id, id), its))
    .get();
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
