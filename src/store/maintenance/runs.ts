import { and, asc, eq, inArray, isNotNull, isNull, lt } from "drizzle-orm";
import type { MaintenanceNotice } from "../../domain/alerts/alert-event.ts";
import { endAfter, lastWindowUntil, openWindowAt, type Window } from "../../domain/maintenance/windows.ts";
import { isSelected } from "../../domain/monitors/selector.ts";
import { createNoticesFor } from "../alerts/open-incidents.ts";
import type { TimedTx, Tx } from "../tx.ts";
import type { MaintenanceRow } from "./stored-maintenance.ts";

/**
 * A maintenance whose window may have started or ended.
 *
 * @property before as it was until now @property after null if it is deleted
 */
export interface WatchedMaintenance {
  before: MaintenanceRow;
  after: MaintenanceRow | null;
}

type NoticeType = MaintenanceNotice["type"];

/**
 * Stores that a window of a maintenance started or ended, and notifies its channels of it, each once (behavior 14.45). Windows
 * of one maintenance that overlap or touch are one. It locks channels, so the caller writes the states of monitors before.
 *
 * @returns undefined if neither is new
 */
export async function noteWindow(
  tx: TimedTx,
  { before, after }: WatchedMaintenance,
): Promise<NoticeType | undefined> {
  const open = await findOpenRun(tx, before.id);
  const window = after && openWindowAt(after, tx.now);
  const isOver = open && window && missedEnd(before, { startsAt: open.startsAt, now: tx.now }) !== null;
  if (open && (!window || isOver)) {
    const endsAt = endOf(before, { startsAt: open.startsAt, now: tx.now });
    if (!(await closeRun(tx, open.pk, endsAt))) return undefined;
    await notify(tx, after ?? before, { type: "maintenance.ended", startsAt: open.startsAt, endsAt });
    if (!window) return "maintenance.ended";
  }
  if ((!open || isOver) && after && window) {
    if (!(await openRun(tx, after, { ...window, now: tx.now }))) return undefined;
    await notify(tx, after, { type: "maintenance.started", ...window });
    return "maintenance.started";
  }
  if (open && after && JSON.stringify(open.selector) !== JSON.stringify(after.selector)) {
    // The run says which monitors were in the window.
    await closeRun(tx, open.pk, tx.now);
    await openRun(tx, after, { startsAt: tx.now, now: tx.now });
  }
  return undefined;
}

async function findOpenRun({ db, tables: { maintenanceRuns } }: Tx, maintenanceId: string) {
  const { pk, startsAt, selector } = maintenanceRuns;
  const [run] = await db
    .select({ pk, startsAt, selector })
    .from(maintenanceRuns)
    .where(and(eq(maintenanceRuns.maintenanceId, maintenanceId), isNull(maintenanceRuns.endsAt)));
  return run;
}

/** When a window ended while no server ran, by times that were not changed since; null if that is not known. */
function missedEnd(
  maintenance: MaintenanceRow,
  { startsAt, now }: { startsAt: number; now: number },
): number | null {
  const end = endAfter(maintenance, startsAt, now);
  return end === null || maintenance.updatedAt > end ? null : end;
}

/** When a window that is over ended: it may be noticed only later. */
function endOf(maintenance: MaintenanceRow, { startsAt, now }: { startsAt: number; now: number }): number {
  const missed = missedEnd(maintenance, { startsAt, now });
  if (missed !== null) return missed;
  const end = lastWindowUntil(maintenance, now)?.endsAt ?? now;
  return Math.min(now, Math.max(end, startsAt));
}

/** @returns whether it was open */
async function closeRun(
  { db, tables: { maintenanceRuns } }: Tx,
  pk: number,
  endsAt: number,
): Promise<boolean> {
  const closed = await db
    .update(maintenanceRuns)
    .set({ endsAt })
    .where(and(eq(maintenanceRuns.pk, pk), isNull(maintenanceRuns.endsAt)))
    .returning({ pk: maintenanceRuns.pk });
  return closed.length > 0;
}

/** @returns whether it was not open */
async function openRun(
  { db, tables: { maintenanceRuns } }: Tx,
  { organizationPk, id: maintenanceId, title, selector }: MaintenanceRow,
  { startsAt, now }: { startsAt: number; now: number },
): Promise<boolean> {
  const run = { organizationPk, maintenanceId, title, selector };
  // A window that was ended early, or whose monitors changed, has a run with this start already.
  for (const start of new Set([startsAt, now])) {
    const opened = await db
      .insert(maintenanceRuns)
      .values({ ...run, startsAt: start })
      .onConflictDoNothing()
      .returning({ pk: maintenanceRuns.pk });
    if (opened.length > 0) return true;
  }
  return false;
}

/** How many monitors a notice names. */
const NAMED = 100;

async function notify(
  tx: TimedTx,
  maintenance: MaintenanceRow,
  { type, startsAt, endsAt }: Window & { type: NoticeType },
): Promise<void> {
  const channelPks = await findChannels(tx, maintenance);
  if (channelPks.length === 0) return;
  const { organizationPk, id, title, message } = maintenance;
  const monitors = await listSelected(tx, maintenance);
  const event: MaintenanceNotice = {
    type,
    organization: await findOrganization(tx, organizationPk),
    maintenance: { id, title, message, startsAt, endsAt },
    monitors: monitors.slice(0, NAMED),
    monitorCount: monitors.length,
    at: tx.now,
  };
  await createNoticesFor(tx, { channelPks, event });
}

async function findChannels(
  { db, tables: { alertChannels } }: Tx,
  { notifyChannelIds, organizationPk }: MaintenanceRow,
): Promise<number[]> {
  if (notifyChannelIds.length === 0) return [];
  const named = and(
    inArray(alertChannels.id, notifyChannelIds),
    eq(alertChannels.organizationPk, organizationPk),
  );
  const rows = await db.select({ pk: alertChannels.pk }).from(alertChannels).where(named);
  return rows.map(({ pk }) => pk);
}

/** The monitors that a selector names, oldest first. */
async function listSelected({ db, tables: { monitors } }: Tx, { selector, organizationPk }: MaintenanceRow) {
  const { pk, id, name, type, tags } = monitors;
  const rows = await db
    .select({ id, name, type, tags })
    .from(monitors)
    .where(eq(monitors.organizationPk, organizationPk))
    .orderBy(pk);
  return rows
    .filter((monitor) => isSelected(selector, monitor))
    .map((monitor) => ({ id: monitor.id, name: monitor.name, type: monitor.type }));
}

async function findOrganization({ db, tables: { organizations } }: Tx, pk: number) {
  const { id, name } = organizations;
  const [found] = await db.select({ id, name }).from(organizations).where(eq(organizations.pk, pk));
  if (!found) throw new Error("a maintenance has no organization");
  return found;
}

/** How many rows are deleted at once. */
const BATCH = 100;

/** Deletes some of the windows of maintenances that ended before a moment. @returns whether there may be more */
export async function pruneMaintenanceRuns({ db, tables }: Tx, before: number): Promise<boolean> {
  const { pk, endsAt } = tables.maintenanceRuns;
  const old = await db
    .select({ pk })
    .from(tables.maintenanceRuns)
    .where(and(isNotNull(endsAt), lt(endsAt, before)))
    .orderBy(asc(pk))
    .limit(BATCH);
  const pks = old.map((row) => row.pk);
  if (pks.length > 0) await db.delete(tables.maintenanceRuns).where(inArray(pk, pks));
  return pks.length === BATCH;
}
