import { and, eq, gt, sql } from "drizzle-orm";
import type { OldValues } from "../../domain/accounts/audit.ts";
import { restoredConfig } from "../../domain/accounts/old-values.ts";
import {
  type AlertBinding,
  type AlertTiming,
  AT_ONCE,
  receiverId,
} from "../../domain/alerts/alert-binding.ts";
import { fault } from "../../domain/faults/fault.ts";
import {
  assertConsistent,
  type BulkChange,
  type BulkSelector,
  isSelectedInBulk,
} from "../../domain/monitors/bulk/bulk-request.ts";
import { type PlannedChange, tryChange } from "../../domain/monitors/bulk/plan-change.ts";
import type { MonitorChanges } from "../../domain/monitors/monitor-update.ts";
import { invalid } from "../../errors.ts";
import { findOrganization } from "../accounts/organizations.ts";
import { bindingOf, findChannelPks, IS_NOTIFIED } from "../alerts/bindings.ts";
import { auditAll, deletionOf, updateOf } from "../audit/audit.ts";
import { findUndoable } from "../audit/undo.ts";
import type { Engine, LockMonitors } from "../engine.ts";
import { reviseWork } from "../locations/monitor-locations.ts";
import { findAttendance } from "../outages/outage-timeline.ts";
import { createTurns } from "../turns.ts";
import { inBatches, readInBatches, type TimedTx, type Tx } from "../tx.ts";
import { deleteMonitors } from "./monitors.ts";
import {
  findMonitorRows,
  type MonitorRow,
  planUpdates,
  revisedLocations,
  updateMonitors,
} from "./update-monitors.ts";

/** A change of many monitors. @property expectedMatched how many must be selected, so that more are never changed */
export interface BulkRequest {
  selector: BulkSelector;
  change: BulkChange;
  expectedMatched?: number;
}

/**
 * @property matched how many monitors are selected
 * @property changed monitors that get other values, or are deleted, oldest first @property refused monitors that cannot have the
 * values, and stay as they are
 */
export interface BulkOutcome {
  matched: number;
  changed: { id: string; name: string; changed: string[] }[];
  refused: { id: string; name: string; error: string }[];
  /** The IDs of the entries of the audit log, to undo the change: see `undoInBulk`. Absent if they are not asked for. */
  auditIds?: string[];
}

/**
 * Changes all selected monitors in one transaction, or none (behavior 16.260 to 16.263).
 *
 * @throws AppError `not_found` if the organization does not exist; `invalid` for changes that contradict each other, for an unknown
 *   channel, for an unknown monitor, then for another number of monitors than expected
 * @param now milliseconds since 1970
 */
export async function changeInBulk(
  { read, writeMany }: Pick<Engine, "read" | "writeMany">,
  organizationId: string,
  request: BulkRequest,
  { isDryRun, forUndo }: { isDryRun: boolean; forUndo?: boolean },
  now: number,
): Promise<BulkOutcome> {
  assertConsistent(request.change);
  if (isDryRun) return outcomeOf(await read((tx) => planBulk({ ...tx, now }, organizationId, request)));
  return writeMany(async (tx, lock) => {
    const bulk = await planBulk({ ...tx, now }, organizationId, request);
    assertMatched(bulk, request);
    if (request.change.delete) await deleteAll(tx, bulk, lock);
    const auditIds = request.change.delete ? [] : await updateAll(tx, bulk, { now, lock });
    return { ...outcomeOf(bulk), ...(forUndo && { auditIds }) };
  });
}

function assertMatched({ matched }: BulkPlan, { expectedMatched = matched }: BulkRequest): void {
  if (matched !== expectedMatched) throw fault("selectionChanged", { matched, expected: expectedMatched });
}

type BulkPlan = Awaited<ReturnType<typeof planBulk>>;

function outcomeOf({ matched, changes, refused }: BulkPlan): BulkOutcome {
  return {
    matched,
    changed: changes.map(({ id, name, changed }) => ({ id, name, changed })),
    refused,
  };
}

async function updateAll(
  tx: Tx,
  { organizationPk, plan, changes: planned }: BulkPlan,
  { now, lock }: { now: number; lock: LockMonitors },
): Promise<string[]> {
  const rows = await findRows(tx, pksOf(planned));
  const requests = planned.flatMap(({ pk, changes, bindings }) => {
    const monitor = rows.get(pk);
    return monitor ? [{ monitor, changes, bindings }] : [];
  });
  const updates = await planUpdates({ ...tx, now }, { organizationPk, plan }, requests);
  await reviseWork(tx, ...revisedLocations(updates));
  await updateMonitors({ ...tx, now }, { organizationPk, updates }, lock);
  const plans = new Map(updates.map((update) => [update.monitor.pk, update.plan]));
  const receivers = await findReceivers(tx, organizationPk);
  const auditIds: string[] = [];
  await inBatches(planned, async (some) => {
    const entries = some.map(({ pk, id, name, changed, bound }) => {
      const before = { ...rows.get(pk), alertBindings: bindingsOf(bound, receivers) };
      return updateOf({ organizationPk, type: "monitor", id, name }, changed, {
        before,
        after: plans.get(pk) ?? {},
      });
    });
    auditIds.push(...(await auditAll(tx, entries)));
  });
  return auditIds;
}

/** The IDs of channels and schedules, by the numbers of what bindings name. */
async function findReceivers({ db, tables: { alertChannels } }: Tx, organizationPk: number) {
  const { pk, id, schedulePk, organizationPk: owner } = alertChannels;
  const rows = await db.select({ pk, id, schedulePk }).from(alertChannels).where(eq(owner, organizationPk));
  return new Map(rows.map((row) => [row.pk, { id: row.id, schedulePk: row.schedulePk }]));
}

type Receivers = Awaited<ReturnType<typeof findReceivers>>;

function bindingsOf(bound: ReadonlyMap<number, AlertTiming>, receivers: Receivers): AlertBinding[] {
  return [...bound].map(([pk, timing]) =>
    bindingOf({ ...(receivers.get(pk) ?? { id: "", schedulePk: null }), ...timing }),
  );
}

async function deleteAll(
  tx: Tx,
  { organizationPk, changes: planned }: BulkPlan,
  lock: LockMonitors,
): Promise<void> {
  const rows = await findRows(tx, pksOf(planned));
  await reviseWork(tx, ...[...rows.values()].map(({ locations }) => locations));
  await lock(pksOf(planned));
  await inBatches(planned, async (some) => {
    await deleteMonitors(tx, pksOf(some));
    await auditAll(
      tx,
      some.map(({ pk, id, name }) => deletionOf({ organizationPk, type: "monitor", id, name }, rows.get(pk))),
    );
  });
}

function pksOf(some: readonly { pk: number }[]): number[] {
  return some.map(({ pk }) => pk);
}

/** @property bound the channels before */
interface PlannedMonitor extends PlannedChange {
  pk: number;
  id: string;
  name: string;
  bound: ReadonlyMap<number, AlertTiming>;
}

/** The monitors that change, without their rows. */
async function planBulk(tx: TimedTx, organizationId: string, { selector, change }: BulkRequest) {
  const { pk: organizationPk, plan } = await findOrganization(tx, organizationId);
  const channelsIn = async (field: "addChannels" | "removeChannels") => {
    const fieldOf = (at: number) => `change.${field}.${at}`;
    const channelIds = change[field] ?? [];
    return [...(await findChannelPks(tx, { organizationPk, channelIds, fieldOf })).values()];
  };
  const channels = { added: await channelsIn("addChannels"), removed: await channelsIn("removeChannels") };
  const selected = await findSelected(tx, { organizationPk, organizationId, now: tx.now }, selector);
  const bindings = await findBindings(tx, pksOf(selected));
  const changes: PlannedMonitor[] = [];
  const refused: BulkOutcome["refused"] = [];
  const turn = createTurns();
  for (const monitor of selected) {
    const { pk, id, name } = monitor;
    const bound = bindings.get(pk) ?? new Map<number, AlertTiming>();
    const planned = tryChange(monitor, change, { plan, channels, bindings: bound });
    if ("error" in planned) refused.push({ id, name, error: planned.error });
    else if (change.delete || planned.changed.length > 0) changes.push({ pk, id, name, bound, ...planned });
    await turn();
  }
  return { organizationPk, plan, matched: selected.length, changes, refused };
}

/** Oldest first. @throws AppError `invalid` for an ID that is not a monitor of the organization */
async function findSelected(
  tx: Tx,
  { organizationPk, organizationId, now }: { organizationPk: number; organizationId: string; now: number },
  { monitorIds, ...selector }: BulkSelector,
) {
  const { monitors, monitorStates } = tx.tables;
  const { pk, id, name, type, config, tags, enabled, organizationPk: owner } = monitors;
  const { status } = monitorStates;
  const isById = monitorIds && Object.keys(selector).length === 0;
  const rows = await readInBatches((after, limit) =>
    tx.db
      .select({
        pk,
        id,
        name,
        type,
        config,
        tags,
        enabled,
        status,
        isNotified: sql<boolean | number>`${sql.raw(IS_NOTIFIED)}`,
      })
      .from(monitors)
      .innerJoin(monitorStates, eq(monitorStates.monitorPk, pk))
      .where(
        and(eq(owner, organizationPk), gt(pk, after), isById ? tx.sets.among(id, monitorIds) : undefined),
      )
      .orderBy(pk)
      .limit(limit),
  );
  const known = new Set(rows.map((row) => row.id));
  const unknown = monitorIds?.findIndex((one) => !known.has(one)) ?? -1;
  if (unknown >= 0) throw invalid(`selector.monitorIds.${unknown} is not a monitor of this organization`);
  const named = new Set(monitorIds);
  const attendance = await findAttendance({ ...tx, now }, organizationId);
  return rows
    .map((row) => ({ ...row, isNotified: Boolean(row.isNotified) }))
    .filter((row) => named.has(row.id) || isSelectedInBulk(selector, row, attendance));
}

/** The channels of each monitor. */
async function findBindings({ db, sets, tables: { alertBindings } }: Tx, pks: number[]) {
  const { monitorPk, channelPk, after, every, hours } = alertBindings;
  const found = new Map<number, Map<number, AlertTiming>>();
  await inBatches(pks, async (some) => {
    const rows = await db
      .select({ monitorPk, channelPk, after, every, hours })
      .from(alertBindings)
      .where(and(sets.among(monitorPk, some), eq(alertBindings.routed, false)));
    for (const { monitorPk: monitor, channelPk: channel, ...timing } of rows) {
      const ofMonitor = found.get(monitor) ?? new Map<number, AlertTiming>();
      found.set(monitor, ofMonitor.set(channel, timing));
    }
  });
  return found;
}

async function findRows({ db, sets, tables: { monitors } }: Tx, pks: number[]) {
  const found = new Map<number, MonitorRow>();
  await inBatches(pks, async (some) => {
    const rows = await db.select().from(monitors).where(sets.among(monitors.pk, some));
    for (const row of rows) found.set(row.pk, row);
  });
  return found;
}

/** @property undone how many monitors have their old values again @property refused monitors that stay as they are, with the reason */
export interface UndoOutcome {
  undone: number;
  refused: { id: string; name: string; error: string }[];
}

/**
 * Takes back changes of monitors, in one transaction, each that can be (behavior 14.102).
 *
 * @param auditIds the entries of the audit log about the changes
 * @param now milliseconds since 1970
 * @throws AppError `not_found` for an unknown entry; `invalid` as `planUpdates`
 */
export async function undoInBulk(
  { writeMany }: Pick<Engine, "writeMany">,
  organizationId: string,
  auditIds: readonly string[],
  now: number,
): Promise<UndoOutcome> {
  return writeMany(async (tx, lock) => {
    const { pk: organizationPk, plan } = await findOrganization(tx, organizationId);
    const wanted = await findUndoable(tx, organizationPk, auditIds);
    const rows = await findMonitorRows(
      tx,
      wanted.map(({ resource }) => resource.id),
    );
    const bindings = await findBindings(tx, pksOf([...rows.values()]));
    const receivers = await findReceivers(tx, organizationPk);
    const receiverPks = new Map([...receivers].map(([pk, { id }]) => [id, pk]));
    const refused: UndoOutcome["refused"] = [];
    const changes: PlannedMonitor[] = [];
    for (const { resource, changed, before, refusal } of wanted) {
      const { id, name } = resource;
      const row = rows.get(id);
      const restored = refusal ?? (row ? restoring(row, before ?? {}, receiverPks) : "it was deleted");
      if (!row || typeof restored === "string") refused.push({ id, name, error: String(restored) });
      else
        changes.push({
          pk: row.pk,
          id,
          name,
          changed,
          bound: bindings.get(row.pk) ?? new Map(),
          ...restored,
        });
    }
    await updateAll(tx, { organizationPk, plan, matched: changes.length, changes, refused }, { now, lock });
    return { undone: changes.length, refused };
  });
}

/** The changes that give a monitor its old values; a sentence if it can't have them. */
function restoring(
  row: MonitorRow,
  before: OldValues,
  receiverPks: ReadonlyMap<string, number>,
): Pick<PlannedChange, "changes" | "bindings"> | string {
  const { alertBindings, config, ...others } = before as {
    alertBindings?: AlertBinding[];
    config?: object;
  } & MonitorChanges;
  if (Object.keys(others).some((field) => field !== "enabled" && field !== "tags"))
    return "only changes of many monitors can be undone together";
  const bindings = alertBindings?.map((binding) => {
    const { alertChannelId: _, scheduleId: __, ...timing } = binding;
    return [receiverPks.get(receiverId(binding)), { ...AT_ONCE, ...timing }] as const;
  });
  if (bindings?.some(([pk]) => pk === undefined)) return "a channel that it had was deleted";
  return {
    changes: { ...others, ...(config && { config: restoredConfig(config, row.config) }) },
    bindings: bindings && new Map(bindings as [number, AlertTiming][]),
  };
}
