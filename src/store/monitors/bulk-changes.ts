import { and, eq, gt, sql } from "drizzle-orm";
import type { AlertTiming } from "../../domain/alerts/alert-binding.ts";
import {
  assertConsistent,
  type BulkChange,
  type BulkSelector,
  isSelectedInBulk,
} from "../../domain/monitors/bulk/bulk-request.ts";
import { type PlannedChange, tryChange } from "../../domain/monitors/bulk/plan-change.ts";
import { invalid } from "../../errors.ts";
import { findOrganization } from "../accounts/organizations.ts";
import { findChannelPks, IS_NOTIFIED } from "../alerts/bindings.ts";
import { auditAll, deletionOf, updateOf } from "../audit/audit.ts";
import type { Engine, LockMonitors } from "../engine.ts";
import { reviseWork } from "../locations/monitor-locations.ts";
import { findAttendance } from "../outages/outage-timeline.ts";
import { createTurns } from "../turns.ts";
import { inBatches, readInBatches, type TimedTx, type Tx } from "../tx.ts";
import { deleteMonitors } from "./monitors.ts";
import { type MonitorRow, planUpdates, revisedLocations, updateMonitors } from "./update-monitors.ts";

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
  { isDryRun }: { isDryRun: boolean },
  now: number,
): Promise<BulkOutcome> {
  assertConsistent(request.change);
  if (isDryRun) return outcomeOf(await read((tx) => planBulk({ ...tx, now }, organizationId, request)));
  return writeMany(async (tx, lock) => {
    const bulk = await planBulk({ ...tx, now }, organizationId, request);
    assertMatched(bulk, request);
    await (request.change.delete ? deleteAll(tx, bulk, lock) : updateAll(tx, bulk, { now, lock }));
    return outcomeOf(bulk);
  });
}

function assertMatched({ matched }: BulkPlan, { expectedMatched = matched }: BulkRequest): void {
  if (matched !== expectedMatched)
    throw invalid(
      `${matched} monitors are selected now, not ${expectedMatched} as expected: check the selection`,
    );
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
): Promise<void> {
  const rows = await findRows(tx, pksOf(planned));
  const requests = planned.flatMap(({ pk, changes, bindings }) => {
    const monitor = rows.get(pk);
    return monitor ? [{ monitor, changes, bindings }] : [];
  });
  const updates = await planUpdates({ ...tx, now }, { organizationPk, plan }, requests);
  await reviseWork(tx, ...revisedLocations(updates));
  await updateMonitors({ ...tx, now }, { organizationPk, updates }, lock);
  await inBatches(planned, (some) =>
    auditAll(
      tx,
      some.map(({ id, name, changed }) => updateOf({ organizationPk, type: "monitor", id, name }, changed)),
    ),
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
      some.map(({ id, name }) => deletionOf({ organizationPk, type: "monitor", id, name })),
    );
  });
}

function pksOf(some: readonly { pk: number }[]): number[] {
  return some.map(({ pk }) => pk);
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
  const changes: ({ pk: number; id: string; name: string } & PlannedChange)[] = [];
  const refused: BulkOutcome["refused"] = [];
  const turn = createTurns();
  for (const monitor of selected) {
    const { pk, id, name } = monitor;
    const planned = tryChange(monitor, change, {
      plan,
      channels,
      bindings: bindings.get(pk) ?? new Map(),
    });
    if ("error" in planned) refused.push({ id, name, error: planned.error });
    else if (change.delete || planned.changed.length > 0) changes.push({ pk, id, name, ...planned });
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
  const { monitorPk, channelPk, after, every } = alertBindings;
  const found = new Map<number, Map<number, AlertTiming>>();
  await inBatches(pks, async (some) => {
    const rows = await db
      .select({ monitorPk, channelPk, after, every })
      .from(alertBindings)
      .where(sets.among(monitorPk, some));
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
