import { and, count, eq, inArray, isNull, sql } from "drizzle-orm";
import {
  assertChannelLimit,
  assertSubscribed,
  type Plan,
  type Subscription,
} from "../../domain/accounts/organization.ts";
import type { AlertTiming } from "../../domain/alerts/alert-binding.ts";
import {
  type AlertChannel,
  type ChannelConfig,
  type ChannelType,
  leavesAddress,
  parseChannelConfig,
  tracksIncidents,
} from "../../domain/alerts/channel.ts";
import { EVERY_GROUP, type NotifyOn, sortedNotifyOn } from "../../domain/alerts/notify.ts";
import type { Language } from "../../domain/pages/reader-locale.ts";
import { assertSameType } from "../../domain/schemas/format.ts";
import { notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { type Audited, auditCreation, auditDeletion, auditUpdate } from "../audit/audit.ts";
import { createId } from "../ids.ts";
import { assertRefFree } from "../refs.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { cancelPending, retryNow } from "./deliveries.ts";
import { retireAddress } from "./open-incidents.ts";

export interface NewChannel {
  name: string;
  type: ChannelType;
  config: ChannelConfig;
  /** Default: true. */
  enabled?: boolean | undefined;
  /** Without it, every transition. */
  notifyOn?: NotifyOn | undefined;
  /** Default: null. */
  language?: Language | null | undefined;
  ref?: string | undefined;
}

/** @throws AppError `invalid` for its ref, then `limit_reached` if the plan allows no more channels */
export async function createChannel(
  tx: TimedTx,
  owner: { organizationId: string; plan: Plan },
  values: NewChannel,
): Promise<AlertChannel> {
  const { alertChannels } = tx.tables;
  const organization = await organizationPk(tx, owner.organizationId);
  const ofOrganization = eq(alertChannels.organizationPk, organization);
  await assertRefFree(tx, { table: alertChannels, organizationPk: organization, ref: values.ref });
  const [existing] = await tx.db
    .select({ count: count() })
    .from(alertChannels)
    .where(and(ofOrganization, isListed(tx.tables)));
  assertChannelLimit(owner.plan, existing?.count ?? 0);
  const row = {
    ...values,
    enabled: values.enabled ?? true,
    notifyOn: sortedNotifyOn(values.notifyOn ?? EVERY_GROUP),
    id: createId(),
    organizationPk: organization,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  const [created] = await tx.db.insert(alertChannels).values(row).returning(channelColumns(alertChannels));
  if (!created) throw new Error("the insert returned no channel");
  await auditCreation(tx, auditedChannel(created, organization), values);
  return created;
}

/** A monitor that notifies a channel. */
export interface MonitorBinding extends AlertTiming {
  monitorId: string;
}

export interface ChannelWithBindings extends AlertChannel {
  /** Oldest monitor first. */
  bindings: MonitorBinding[];
}

export interface CountedChannel extends AlertChannel {
  /** The number of monitors that are bound to it. */
  boundMonitors: number;
}

/** Oldest first. @throws AppError `not_found` if the organization does not exist */
export async function listChannels(tx: Tx, organizationId: string): Promise<ChannelWithBindings[]> {
  return withBindings(tx, await listRows(tx, organizationId));
}

/** Oldest first. @throws AppError `not_found` if the organization does not exist */
export async function listCountedChannels(tx: Tx, organizationId: string): Promise<CountedChannel[]> {
  return withCounts(tx, await listRows(tx, organizationId));
}

/** The IDs of the monitors that notify a channel, in any order; none if the organization has no such channel. */
export async function listMonitorIds(tx: Tx, organizationId: string, channelId: string): Promise<string[]> {
  const { alertBindings, alertChannels, monitors } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const rows = await tx.db
    .select({ id: monitors.id })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, alertBindings.channelPk))
    .innerJoin(monitors, eq(monitors.pk, alertBindings.monitorPk))
    .where(
      and(
        eq(alertChannels.id, channelId),
        eq(alertChannels.organizationPk, organization),
        eq(alertBindings.routed, false),
      ),
    );
  return rows.map(({ id }) => id);
}

/** @throws AppError `not_found` */
export async function findChannel(tx: Tx, organizationId: string, id: string): Promise<ChannelWithBindings> {
  const { organization: _, ...row } = await findRow(tx, organizationId, id);
  const [channel] = await withBindings(tx, [row]);
  if (!channel) throw notFound();
  return channel;
}

export interface ChannelChanges {
  name?: string | undefined;
  /** As in the request: it is parsed by the stored type. */
  config?: unknown;
  enabled?: boolean | undefined;
  notifyOn?: NotifyOn | undefined;
  language?: Language | null | undefined;
  ref?: string | undefined;
}

/**
 * Disabling a channel cancels its pending deliveries, and ends the incidents of its receiver. A new config makes them due immediately, because the previous
 * config may be why they are pending. A new `notifyOn` applies to later transitions.
 *
 * @throws AppError `not_found`, then `invalid` for a config that does not fit the type, then for its ref
 */
export async function updateChannel(
  tx: TimedTx,
  organizationId: string,
  id: string,
  changes: ChannelChanges,
): Promise<AlertChannel> {
  const { alertChannels } = tx.tables;
  const { pk, organization, ...before } = await findRow(tx, organizationId, id);
  const config =
    changes.config === undefined
      ? before.config
      : parseChannelConfig(before.type, changes.config, before.config);
  const { ref } = changes;
  await assertRefFree(tx, { table: alertChannels, organizationPk: organization, ref, except: pk });
  const row = {
    name: changes.name ?? before.name,
    config,
    enabled: changes.enabled ?? before.enabled,
    notifyOn: sortedNotifyOn(changes.notifyOn ?? before.notifyOn),
    language: changes.language === undefined ? before.language : changes.language,
    ref: ref ?? before.ref,
    updatedAt: tx.now,
  };
  const isSame = Bun.deepEquals(config, before.config);
  const why = leavingOf(before, row);
  if (why) await retireAddress(tx, pk, why);
  const [updated] = await tx.db
    .update(alertChannels)
    .set({ ...row, ...(!isSame && { revision: sql`${alertChannels.revision} + 1` }) })
    .where(eq(alertChannels.pk, pk))
    .returning(channelColumns(alertChannels));
  if (!updated) throw notFound();
  // After the channel, because the outcomes of attempts are recorded in this order.
  if (!row.enabled) await cancelPending(tx, { channelPks: [pk] }, "the channel was disabled");
  else if (!isSame) await retryNow(tx, [pk]);
  await auditUpdate(tx, auditedChannel(updated, organization), { before, after: updated });
  return updated;
}

type Addressed = Pick<AlertChannel, "type" | "config" | "enabled">;

/** Why an update leaves the address of a channel; null if it does not. */
export function leavingOf(before: Addressed, after: Pick<Addressed, "config" | "enabled">) {
  if (!before.enabled || !tracksIncidents(before)) return null;
  if (leavesAddress(before, { ...after, type: before.type })) return "moved";
  return after.enabled ? null : "disabled";
}

/** The error of the notifications that wait for a receiver that is gone. */
const RECEIVER_GONE = "the channel is disabled: the device has ended its subscription";

/**
 * Disables a channel whose receiver will never exist again, and cancels its pending deliveries (behavior 21.56).
 *
 * @param refused the config with which the receiver was asked: if the channel has another one now, it stays enabled
 */
export async function disableGoneChannel(
  tx: TimedTx,
  { id, config: refused }: Pick<AlertChannel, "id" | "config">,
): Promise<void> {
  const { alertChannels } = tx.tables;
  const { pk, config, revision, enabled } = alertChannels;
  const ofChannel = and(eq(alertChannels.id, id), eq(enabled, true));
  const [row] = await tx.db.select({ pk, config, revision }).from(alertChannels).where(ofChannel);
  if (!row || !Bun.deepEquals(row.config, refused)) return;
  const [disabled] = await tx.db
    .update(alertChannels)
    .set({ enabled: false, updatedAt: tx.now })
    .where(and(ofChannel, eq(revision, row.revision)))
    .returning({ pk });
  if (disabled) await cancelPending(tx, { channelPks: [row.pk] }, RECEIVER_GONE);
}

/**
 * Deletes a channel with its bindings. Its pending deliveries count as failed immediately, and are marked as failed in
 * the background. All its deliveries stay on the results. The incidents of its receiver end.
 *
 * @throws AppError `not_found`
 */
export async function deleteChannel(tx: Tx, organizationId: string, id: string): Promise<{ id: string }> {
  const { alertChannels, deletedChannels } = tx.tables;
  const channel = await findRow(tx, organizationId, id);
  if (channel.enabled && tracksIncidents(channel)) await retireAddress(tx, channel.pk, "removed");
  await tx.db.insert(deletedChannels).values({ pk: channel.pk });
  await tx.db.delete(alertChannels).where(eq(alertChannels.pk, channel.pk));
  await auditDeletion(tx, auditedChannel(channel, channel.organization), channel);
  return { id };
}

/** Whether a row is a channel of a user, and neither a previous address of one nor the row of a schedule. */
export function isListed({ alertChannels }: Pick<Tx["tables"], "alertChannels">) {
  return and(isNull(alertChannels.retiredAt), isNull(alertChannels.schedulePk));
}

/** @property organization its internal number */
type StoredChannel = AlertChannel & { pk: number; organization: number };

async function findRow(tx: Tx, organizationId: string, id: string): Promise<StoredChannel> {
  const { alertChannels } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const [row] = await tx.db
    .select({ pk: alertChannels.pk, ...channelColumns(alertChannels) })
    .from(alertChannels)
    .where(
      and(
        eq(alertChannels.id, id),
        eq(alertChannels.organizationPk, organization),
        isNull(alertChannels.schedulePk),
      ),
    );
  if (!row) throw notFound();
  return { ...row, organization };
}

function auditedChannel({ id, name }: AlertChannel, organizationPk: number): Audited {
  return { organizationPk, type: "channel", id, name };
}

async function listRows(tx: Tx, organizationId: string): Promise<(AlertChannel & { pk: number })[]> {
  const { alertChannels } = tx.tables;
  return tx.db
    .select({ pk: alertChannels.pk, ...channelColumns(alertChannels) })
    .from(alertChannels)
    .where(
      and(eq(alertChannels.organizationPk, await organizationPk(tx, organizationId)), isListed(tx.tables)),
    )
    .orderBy(alertChannels.pk);
}

async function withCounts(
  { db, tables: { alertBindings }, sets }: Tx,
  channels: (AlertChannel & { pk: number })[],
): Promise<CountedChannel[]> {
  const { channelPk } = alertBindings;
  const rows = await db
    .select({ channelPk, count: count() })
    .from(alertBindings)
    .where(
      and(
        eq(alertBindings.routed, false),
        sets.among(
          channelPk,
          channels.map(({ pk }) => pk),
        ),
      ),
    )
    .groupBy(channelPk);
  const counts = new Map(rows.map((row) => [row.channelPk, row.count]));
  return channels.map(({ pk, ...channel }) => ({ ...channel, boundMonitors: counts.get(pk) ?? 0 }));
}

/** The most channels in one statement. */
const CHANNELS_AT_ONCE = 500;

async function withBindings(
  { db, tables: { alertBindings, monitors } }: Tx,
  channels: (AlertChannel & { pk: number })[],
): Promise<ChannelWithBindings[]> {
  const bindings = new Map<number, MonitorBinding[]>(channels.map(({ pk }) => [pk, []]));
  const pks = [...bindings.keys()];
  const { after, every, hours } = alertBindings;
  for (let at = 0; at < pks.length; at += CHANNELS_AT_ONCE) {
    const bound = await db
      .select({ channelPk: alertBindings.channelPk, monitorId: monitors.id, after, every, hours })
      .from(alertBindings)
      .innerJoin(monitors, eq(monitors.pk, alertBindings.monitorPk))
      .where(
        and(
          inArray(alertBindings.channelPk, pks.slice(at, at + CHANNELS_AT_ONCE)),
          eq(alertBindings.routed, false),
        ),
      )
      .orderBy(monitors.pk);
    for (const { channelPk, ...binding } of bound) bindings.get(channelPk)?.push(binding);
  }
  return channels.map(({ pk, ...channel }) => ({ ...channel, bindings: bindings.get(pk) ?? [] }));
}

/** The columns of a channel. */
function channelColumns(columns: Tx["tables"]["alertChannels"]) {
  const { id, name, type, config, enabled, notifyOn, language, ref, createdAt, updatedAt } = columns;
  return { id, name, type, config, enabled, notifyOn, language, ref, createdAt, updatedAt };
}

/** The values of a request that creates a channel, or replaces it in full. */
export interface ChannelRequest extends Omit<NewChannel, "config"> {
  /** As in the request. */
  config: unknown;
}

/**
 * Creates the channel with a ref, or replaces it in full (behavior 16.4, 16.5).
 *
 * @throws AppError as `createChannel` or `replaceChannel`, and `no_subscription` for a new channel
 */
export async function createOrReplaceChannel(
  tx: TimedTx,
  owner: { organizationId: string; plan: Plan; subscription: Subscription },
  request: ChannelRequest & { ref: string },
): Promise<{ isNew: boolean; channel: AlertChannel }> {
  const { organizationId } = owner;
  const stored = await findByRef(tx, organizationId, request.ref);
  if (stored) return { isNew: false, channel: await replaceChannel(tx, organizationId, stored, request) };
  assertSubscribed(owner);
  const config = parseChannelConfig(request.type, request.config);
  const values = { ...request, name: request.name.trim(), config };
  return { isNew: true, channel: await createChannel(tx, owner, values) };
}

/**
 * Gives a channel exactly the values of a request: what it does not give gets the default of a new channel. Its bindings and
 * deliveries stay.
 *
 * @throws AppError `invalid` for another type, then as `updateChannel`
 */
async function replaceChannel(
  tx: TimedTx,
  organizationId: string,
  stored: { id: string; type: ChannelType },
  request: ChannelRequest,
): Promise<AlertChannel> {
  assertSameType(stored.type, request.type);
  const { name, config, ref, enabled = true, notifyOn = EVERY_GROUP, language = null } = request;
  const values = { name: name.trim(), config, ref, enabled, notifyOn, language };
  return updateChannel(tx, organizationId, stored.id, values);
}

async function findByRef(tx: Tx, organizationId: string, ref: string) {
  const { alertChannels } = tx.tables;
  const ofOrganization = eq(alertChannels.organizationPk, await organizationPk(tx, organizationId));
  const [found] = await tx.db
    .select({ id: alertChannels.id, type: alertChannels.type })
    .from(alertChannels)
    .where(and(eq(alertChannels.ref, ref), ofOrganization));
  return found;
}
