import { eq } from "drizzle-orm";
import { tracksIncidents } from "../../domain/alerts/channel.ts";
import { EVERY_GROUP, sortedNotifyOn } from "../../domain/alerts/notify.ts";
import {
  type Deletion,
  isNew,
  type ObjectKind,
  only,
  type PlannedChannel,
  type Step,
} from "../../domain/configuration/plan.ts";
import { type Key, keyOf } from "../../domain/configuration/stored-configuration.ts";
import { leavingOf } from "../alerts/channels.ts";
import { cancelPending, retryNow } from "../alerts/deliveries.ts";
import { retireAddress } from "../alerts/open-incidents.ts";
import { createId } from "../ids.ts";
import type { TimedTx, Tx } from "../tx.ts";

type ChannelStep = Step<PlannedChannel>;

/** Creates channels. */
export async function createChannels(
  { db, sets, tables: { alertChannels }, now }: TimedTx,
  {
    organizationPk,
    steps,
    objects,
    newIds,
  }: { organizationPk: number; steps: readonly ChannelStep[]; objects: NamedObjects; newIds: NewIds },
): Promise<void> {
  if (steps.length === 0) return;
  const rows = steps.map((step) => {
    const { ref, fields, values } = step;
    const { name, type, config, enabled, notifyOn, language } = values;
    const given = only(fields, { enabled, notifyOn, language });
    const settings = {
      enabled: given.enabled ?? true,
      notifyOn: sortedNotifyOn(given.notifyOn ?? EVERY_GROUP),
      language: given.language ?? null,
    };
    const fixed = { id: newId(newIds, step), organizationPk, createdAt: now, updatedAt: now };
    return { ref, name, type, config, ...settings, ...fixed };
  });
  await sets.insert(alertChannels, rows);
  const { pk, id } = alertChannels;
  const ids = rows.map((row) => row.id);
  const stored = await db.select({ pk, id }).from(alertChannels).where(sets.among(id, ids));
  const pks = new Map(stored.map((row) => [row.id, row.pk]));
  for (const { ref, id: created } of rows)
    objects.channels.set(ref, { pk: pks.get(created) ?? 0, id: created });
}

/**
 * Updates channels: cancels or retries their deliveries if they are disabled or get another config. To be called after the states
 * of monitors are locked.
 */
export async function updateChannels(tx: TimedTx, steps: readonly ChannelStep[]): Promise<void> {
  const planned = new Map(steps.flatMap((step) => (step.id === null ? [] : [[step.id, step] as const])));
  if (planned.size === 0) return;
  const { alertChannels } = tx.tables;
  const rows = await tx.db
    .select()
    .from(alertChannels)
    .where(tx.sets.among(alertChannels.id, [...planned.keys()]));
  const updated = rows.map((row) => {
    const { fields = [], values } = planned.get(row.id) ?? {};
    const { name, config, enabled, notifyOn, language } = {
      ...row,
      ...(values && only(fields, values)),
    };
    const isSame = Bun.deepEquals(config, row.config);
    const revision = row.revision + Number(!isSame);
    const settings = { enabled, notifyOn: sortedNotifyOn(notifyOn), language };
    const set = { name, config, ...settings, revision, updatedAt: tx.now };
    return { where: { pk: row.pk }, set, isSame };
  });
  for (const row of rows) {
    const set = updated.find(({ where }) => where.pk === row.pk)?.set;
    const why = set && leavingOf(row, set);
    if (why) await retireAddress(tx, row.pk, why);
  }
  await tx.sets.update(alertChannels, updated);
  // After the channels, because the outcomes of attempts are recorded in this order.
  const pksOf = (some: typeof updated) => some.map(({ where }) => where.pk);
  const disabled = pksOf(updated.filter(({ set }) => !set.enabled));
  if (disabled.length > 0) await cancelPending(tx, { channelPks: disabled }, "the channel was disabled");
  const other = pksOf(updated.filter(({ set, isSame }) => set.enabled && !isSame));
  if (other.length > 0) await retryNow(tx, other);
}

/** Deletes channels. Their deliveries are marked as failed in the background. */
export async function deleteChannels(tx: Tx, pks: readonly number[]): Promise<void> {
  if (pks.length === 0) return;
  const { db, sets, tables } = tx;
  const { alertChannels, deletedChannels } = tables;
  const { pk, type, config, enabled } = alertChannels;
  const rows = await db.select({ pk, type, config, enabled }).from(alertChannels).where(sets.among(pk, pks));
  for (const row of rows) if (row.enabled && tracksIncidents(row)) await retireAddress(tx, row.pk, "removed");
  await sets.insert(
    deletedChannels,
    pks.map((pk) => ({ pk })),
  );
  await db.delete(alertChannels).where(sets.among(alertChannels.pk, pks));
}

/* The objects that a plan names, creates or deletes. */

/** The stored channels and monitors of an organization by the keys that a plan names them by. */
export interface NamedObjects {
  channels: Map<Key, Named>;
  /** The numbers are those by which bindings name schedules. */
  schedules: Map<Key, Named>;
  monitors: Map<Key, Named>;
}

interface Named {
  pk: number;
  id: string;
}

export async function findNamed(tx: Tx, organizationPk: number): Promise<NamedObjects> {
  const { db, tables } = tx;
  const listed = async (table: typeof tables.monitors | typeof tables.alertChannels) => {
    const rows = await db
      .select({ pk: table.pk, id: table.id, ref: table.ref })
      .from(table)
      .where(eq(table.organizationPk, organizationPk));
    return new Map(rows.map(({ pk, id, ref }) => [keyOf({ ref, id }), { pk, id }]));
  };
  return {
    channels: await listed(tables.alertChannels),
    schedules: await findNamedSchedules(tx, organizationPk),
    monitors: await listed(tables.monitors),
  };
}

export async function findNamedSchedules(
  { db, tables: { alertChannels, schedules } }: Tx,
  organizationPk: number,
): Promise<NamedObjects["schedules"]> {
  const rows = await db
    .select({ pk: alertChannels.pk, id: schedules.id, ref: schedules.ref })
    .from(schedules)
    .innerJoin(alertChannels, eq(alertChannels.schedulePk, schedules.pk))
    .where(eq(schedules.organizationPk, organizationPk));
  return new Map(rows.map(({ pk, id, ref }) => [keyOf({ ref, id }), { pk, id }]));
}

/** @throws Error for a key that the plan should not have */
export function named(objects: ReadonlyMap<Key, Named>, key: Key): Named {
  const found = objects.get(key);
  if (!found) throw new Error(`a plan names ${key}, which is not stored`);
  return found;
}

/** The IDs that new objects get, by their steps. */
export type NewIds = ReadonlyMap<Step<unknown>, string>;

export function createNewIds(steps: readonly Step<unknown>[]): NewIds {
  return new Map(steps.filter(isNew).map((step) => [step, createId()]));
}

/** @throws Error for a step that creates nothing */
export function newId(ids: NewIds, step: Step<unknown>): string {
  const id = ids.get(step);
  if (id === undefined) throw new Error(`a plan gives ${step.ref} no ID`);
  return id;
}

/** A stored object that a plan deletes. @property locations of a monitor, as it stores them */
export interface Deleted {
  kind: ObjectKind;
  id: string;
  pk: number;
  name: string;
  locations: number[] | null;
}

/** In the order of the plan. */
export async function findDeleted(tx: Tx, deletions: readonly Deletion[]): Promise<Deleted[]> {
  const found = new Map<string, Deleted>();
  for (const [kind, some] of Map.groupBy(deletions, (deletion) => deletion.kind)) {
    const ids = some.map(({ id }) => id);
    for (const row of await finders[kind](tx, ids)) found.set(row.id, { locations: null, ...row, kind });
  }
  return deletions.flatMap(({ id }) => found.get(id) ?? []);
}

type Row = Omit<Deleted, "kind" | "locations"> & Partial<Pick<Deleted, "locations">>;

const finders: Record<ObjectKind, (tx: Tx, ids: string[]) => Promise<Row[]>> = {
  async channel({ db, sets, tables: { alertChannels } }, ids) {
    const { id, pk, name } = alertChannels;
    return db.select({ id, pk, name }).from(alertChannels).where(sets.among(id, ids));
  },
  async schedule({ db, sets, tables: { schedules } }, ids) {
    const { id, pk, name } = schedules;
    return db.select({ id, pk, name }).from(schedules).where(sets.among(id, ids));
  },
  async monitor({ db, sets, tables: { monitors } }, ids) {
    const { id, pk, name, locations } = monitors;
    return db.select({ id, pk, name, locations }).from(monitors).where(sets.among(id, ids));
  },
  async maintenance({ db, sets, tables: { maintenances } }, ids) {
    const { id, pk, title: name } = maintenances;
    return db.select({ id, pk, name }).from(maintenances).where(sets.among(id, ids));
  },
  async report({ db, sets, tables: { reportMails } }, ids) {
    const { id, pk, title: name } = reportMails;
    return db.select({ id, pk, name }).from(reportMails).where(sets.among(id, ids));
  },
  async page({ db, sets, tables: { pages } }, ids) {
    const { id, pk, title: name } = pages;
    return db.select({ id, pk, name }).from(pages).where(sets.among(id, ids));
  },
};
