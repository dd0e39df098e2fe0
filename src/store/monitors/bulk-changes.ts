import { and, eq, gt, sql } from "drizzle-orm";
import type { AlertTiming } from "../../domain/alerts/alert-binding.ts";
import {
  assertConsistent,
  type BulkChange,
  type BulkSelector,
  bindingsAfter,
  isSelectedInBulk,
} from "../../domain/monitors/bulk/bulk-request.ts";
import { invalid } from "../../errors.ts";
import { findOrganization } from "../accounts/organizations.ts";
import { findChannelPks } from "../alerts/bindings.ts";
import { auditAll, updateOf } from "../audit/audit.ts";
import { inBatches, readInBatches } from "../batches.ts";
import type { Engine } from "../engine.ts";
import type { Tx } from "../tx.ts";
import { type MonitorRow, planUpdates, updateMonitors } from "./update-monitors.ts";

/** A change of many monitors. */
export interface BulkRequest {
  selector: BulkSelector;
  change: BulkChange;
}

/** @property matched how many monitors are selected @property changed those that get other values, oldest first */
export interface BulkOutcome {
  matched: number;
  changed: { id: string; name: string; changed: string[] }[];
}

/**
 * Changes all selected monitors in one transaction, or none (behavior 16.260 to 16.263).
 *
 * @throws AppError `not_found` if the organization does not exist; `invalid` for a channel that is added and removed, for an unknown
 *   channel, then for an unknown monitor
 */
export function changeInBulk({ read, writeMany }: Pick<Engine, "read" | "writeMany">) {
  /** @param now milliseconds since 1970 */
  return async (
    organizationId: string,
    request: BulkRequest,
    { isDryRun }: { isDryRun: boolean },
    now: number,
  ): Promise<BulkOutcome> => {
    assertConsistent(request.change);
    if (isDryRun) return outcomeOf(await read((tx) => planBulk(tx, organizationId, request)));
    return writeMany(async (tx, lock) => {
      const bulk = await planBulk(tx, organizationId, request);
      const { organizationPk, plan } = bulk;
      const rows = await findRows(
        tx,
        bulk.changes.map(({ pk }) => pk),
      );
      const requests = bulk.changes.flatMap(({ pk, bindings }) => {
        const monitor = rows.get(pk);
        return monitor ? [{ monitor, changes: {}, bindings }] : [];
      });
      const updates = await planUpdates(tx, { organizationPk, plan }, requests, now);
      await updateMonitors(tx, { organizationPk, updates }, now, lock);
      await inBatches(bulk.changes, (some) =>
        auditAll(
          tx,
          some.map(({ id, name }) => updateOf({ organizationPk, type: "monitor", id, name }, [BINDINGS])),
        ),
      );
      return outcomeOf(bulk);
    });
  };
}

/** The name of the changed field. */
const BINDINGS = "alertBindings";

type BulkPlan = Awaited<ReturnType<typeof planBulk>>;

function outcomeOf({ matched, changes }: BulkPlan): BulkOutcome {
  return { matched, changed: changes.map(({ id, name }) => ({ id, name, changed: [BINDINGS] })) };
}

/** The monitors that change, without their rows. */
async function planBulk(tx: Tx, organizationId: string, { selector, change }: BulkRequest) {
  const { pk: organizationPk, plan } = await findOrganization(tx, organizationId);
  const pksOf = async (field: keyof BulkChange) => {
    const fieldOf = (at: number) => `change.${field}.${at}`;
    const channelIds = change[field] ?? [];
    return [...(await findChannelPks(tx, { organizationPk, channelIds, fieldOf })).values()];
  };
  const channels = { added: await pksOf("addChannels"), removed: await pksOf("removeChannels") };
  const selected = await findSelected(tx, organizationPk, selector);
  const bindings = await findBindings(
    tx,
    selected.map(({ pk }) => pk),
  );
  const changes = selected.flatMap(({ pk, id, name }) => {
    const after = bindingsAfter(bindings.get(pk) ?? new Map(), channels);
    return after ? [{ pk, id, name, bindings: after }] : [];
  });
  return { organizationPk, plan, matched: selected.length, changes };
}

/** Oldest first. @throws AppError `invalid` for an ID that is not a monitor of the organization */
async function findSelected(tx: Tx, organizationPk: number, selector: BulkSelector) {
  const { pk, id, name, tags, enabled, organizationPk: owner } = tx.tables.monitors;
  const rows = await readInBatches((after, limit) =>
    tx.db
      .select({ pk, id, name, tags, enabled, isNotified: IS_NOTIFIED })
      .from(tx.tables.monitors)
      .where(and(eq(owner, organizationPk), gt(pk, after)))
      .orderBy(pk)
      .limit(limit),
  );
  const known = new Set(rows.map((row) => row.id));
  const unknown = selector.monitorIds?.findIndex((one) => !known.has(one)) ?? -1;
  if (unknown >= 0) throw invalid(`selector.monitorIds.${unknown} is not a monitor of this organization`);
  return rows.filter((row) => isSelectedInBulk(selector, { ...row, isNotified: Boolean(row.isNotified) }));
}

/** Whether a monitor notifies somebody: true or false, or 1 or 0. */
const IS_NOTIFIED = sql<boolean | number>`EXISTS (SELECT 1 FROM alert_bindings
  JOIN alert_channels ON alert_channels.pk = alert_bindings.channel_pk
  WHERE alert_bindings.monitor_pk = monitors.pk AND alert_channels.enabled)`;

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
