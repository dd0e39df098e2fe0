import { and, eq, inArray, isNull, max } from "drizzle-orm";
import type { Maintenance, MaintenanceTimes } from "../../domain/maintenance/maintenance.ts";
import {
  nextChangeAfter,
  nextWindowAfter,
  openWindowAt,
  stateAt,
  type Window,
  windowsFrom,
} from "../../domain/maintenance/windows.ts";
import type { Selector } from "../../domain/monitors/selector.ts";
import { AppError } from "../../errors.ts";
import { scheduleReviewsOfOrganization } from "../alerts/review/schedule-reviews.ts";
import type { Sql, TimedTx, Tx } from "../tx.ts";
import { ask, findAskedAtEnd } from "./ask-at-end.ts";
import { noteWindow } from "./runs.ts";

export type MaintenanceRow = Tx["tables"]["maintenances"]["$inferSelect"];

/** The most IDs in one statement. */
const IDS_AT_ONCE = 500;

/** Rows as users see them: without monitors and channels that were deleted. */
export async function asMaintenances(tx: TimedTx, rows: readonly MaintenanceRow[]): Promise<Maintenance[]> {
  const { monitors, alertChannels } = tx.tables;
  const monitorIds = rows.flatMap(({ selector }) => selector.monitorIds ?? []);
  const channelIds = rows.flatMap(({ notifyChannelIds }) => notifyChannelIds);
  const [organizationPk = 0] = rows.map((row) => row.organizationPk);
  const existing = {
    monitors: await findIds(tx, { table: monitors, organizationPk, ids: monitorIds }),
    channels: await findIds(tx, { table: alertChannels, organizationPk, ids: channelIds }),
  };
  return rows.map((row) => asMaintenance(row, existing, tx.now));
}

/** IDs that exist. */
interface ExistingIds {
  monitors: ReadonlySet<string>;
  channels: ReadonlySet<string>;
}

function asMaintenance(
  { pk: _, organizationPk: __, ...row }: MaintenanceRow,
  existing: ExistingIds,
  now: number,
): Maintenance {
  const [next] = windowsFrom(row, now, 1);
  return {
    ...row,
    selector: withoutDeleted(row.selector, existing.monitors),
    notifyChannelIds: row.notifyChannelIds.filter((id) => existing.channels.has(id)),
    state: stateAt(row, now),
    nextStartsAt: next?.startsAt ?? null,
    nextEndsAt: next?.endsAt ?? null,
  };
}

/** @param existing the IDs of the monitors that exist */
export function withoutDeleted(
  { monitorIds, ...selector }: Selector,
  existing: ReadonlySet<string>,
): Selector {
  return monitorIds ? { monitorIds: monitorIds.filter((id) => existing.has(id)), ...selector } : selector;
}

/** @throws AppError `invalid` that names the first ID that is not a monitor of the organization */
export async function assertMonitors(
  tx: Tx,
  organizationPk: number,
  { monitorIds = [] }: Selector,
): Promise<void> {
  const existing = await findIds(tx, { table: tx.tables.monitors, organizationPk, ids: monitorIds });
  const unknown = monitorIds.findIndex((id) => !existing.has(id));
  if (unknown >= 0)
    throw new AppError("invalid", `selector.monitorIds.${unknown} is not a monitor of this organization`);
}

/** Which of some IDs exist in the organization. */
export async function findIds(
  { db }: Tx,
  {
    table,
    organizationPk,
    ids,
  }: {
    table: Tx["tables"]["monitors"] | Tx["tables"]["alertChannels"];
    organizationPk: number;
    ids: readonly string[];
  },
): Promise<Set<string>> {
  const found = new Set<string>();
  const wanted = [...new Set(ids)];
  for (let at = 0; at < wanted.length; at += IDS_AT_ONCE) {
    // With a condition on the organization, SQLite would read all its monitors.
    const rows = await db
      .select({ id: table.id, organization: table.organizationPk })
      .from(table)
      .where(inArray(table.id, wanted.slice(at, at + IDS_AT_ONCE)));
    for (const { id, organization } of rows) if (organization === organizationPk) found.add(id);
  }
  return found;
}

/** An organization that has or had maintenances. @property revision see `schema.ts` */
export interface WatchedOrganization {
  pk: number;
  revision: number;
}

/** The outcome of a round of the watch. Times are milliseconds since 1970. */
export interface NotedWindows {
  /** Whether a window started or ended. */
  isChanged: boolean;
  /** When the next one starts or ends; null if none does. */
  nextChangeAt: number | null;
}

export function listWatchedOrganizations({ query }: Sql): Promise<WatchedOrganization[]> {
  return query(
    "SELECT pk, maintenance_revision AS revision FROM organizations WHERE maintenance_revision <> 0",
  );
}

/**
 * Stores the windows of an organization that have started and ended since the previous call, notifies their channels (behavior
 * 14.45), lets monitors in trouble be checked after theirs, and lets the notifications that are held for a window be decided
 * again.
 */
export async function noteWindows(tx: TimedTx, organizationPk: number): Promise<NotedWindows> {
  const { maintenances } = tx.tables;
  const ofOrganization = eq(maintenances.organizationPk, organizationPk);
  const rows = await tx.db.select().from(maintenances).where(ofOrganization).orderBy(maintenances.pk);
  const open = await listOpenRuns(tx, organizationPk);
  let isChanged = false;
  // A stored window may have ended, and another one started, while no server ran.
  const isNoted = (row: MaintenanceRow) =>
    (openWindowAt(row, tx.now)?.startsAt ?? null) === (open.get(row.id) ?? null);
  const changed = rows.filter((row) => !isNoted(row));
  // The states before the channels: recordings lock in this order.
  const isOver = changed.some(({ id }) => open.has(id));
  const asked = isOver ? await findAskedAtEnd(tx, organizationPk) : [];
  await tx.lockStates(asked.map(({ pk }) => pk));
  await ask(tx, asked);
  for (const row of changed) if (await noteWindow(tx, { before: row, after: row })) isChanged = true;
  const openNow = await listOpenRuns(tx, organizationPk);
  // All windows since the start of one that is still open are part of it.
  const mayHaveMissed = rows.filter(({ id }) => !open.has(id) || openNow.get(id) !== open.get(id));
  await storeMissed(tx, mayHaveMissed, { organizationPk, now: tx.now });
  if (isChanged) await scheduleReviewsOfOrganization(tx, organizationPk);
  const nextChangeAt = Math.min(...rows.map((row) => nextChangeAfter(row, tx.now)));
  return { isChanged, nextChangeAt: Number.isFinite(nextChangeAt) ? nextChangeAt : null };
}

/** When the windows that are stored as open started, by the ID of the maintenance. */
async function listOpenRuns({ db, tables: { maintenanceRuns } }: Tx, organizationPk: number) {
  const rows = await db
    .select({ id: maintenanceRuns.maintenanceId, startsAt: maintenanceRuns.startsAt })
    .from(maintenanceRuns)
    .where(and(eq(maintenanceRuns.organizationPk, organizationPk), isNull(maintenanceRuns.endsAt)));
  return new Map(rows.map(({ id, startsAt }) => [id, startsAt]));
}

const DAY = 24 * 60 * 60 * 1000;

/** Bounds the windows that are stored after a long time without a server. */
const MAX_MISSED_WINDOWS = 1000;
const MAX_MISSED = 31 * DAY;

/** Stores the windows that started and ended while no server ran (behavior 14.48). */
async function storeMissed(
  tx: Tx,
  rows: readonly MaintenanceRow[],
  { organizationPk, now }: { organizationPk: number; now: number },
): Promise<void> {
  const { maintenanceRuns } = tx.tables;
  const ends = await listLatestEnds(tx, organizationPk);
  for (const { id: maintenanceId, title, selector, ...row } of rows) {
    const after = Math.max(row.updatedAt, ends.get(maintenanceId) ?? 0, now - MAX_MISSED);
    for (const window of windowsBetween(row, after, now)) {
      await tx.db
        .insert(maintenanceRuns)
        .values({ organizationPk, maintenanceId, title, selector, ...window })
        .onConflictDoNothing();
    }
  }
}

/** When the latest stored window of each maintenance ended, by its ID. */
async function listLatestEnds({ db, tables: { maintenanceRuns } }: Tx, organizationPk: number) {
  const { maintenanceId: id, endsAt } = maintenanceRuns;
  const rows = await db
    .select({ id, end: max(endsAt) })
    .from(maintenanceRuns)
    .where(eq(maintenanceRuns.organizationPk, organizationPk))
    .groupBy(id);
  return new Map(rows.map((row) => [row.id, Number(row.end ?? 0)]));
}

/** The windows that started after a moment and ended before another moment. Windows that overlap are merged. */
function windowsBetween(times: MaintenanceTimes, after: number, before: number): Window[] {
  const windows: Window[] = [];
  let next = nextWindowAfter(times, after);
  while (next && next.endsAt <= before && windows.length < MAX_MISSED_WINDOWS) {
    const last = windows.at(-1);
    if (last && next.startsAt <= last.endsAt) last.endsAt = next.endsAt;
    else windows.push({ ...next });
    next = nextWindowAfter(times, next.startsAt);
  }
  // A window that overlaps with the next window is not over.
  return windows.filter(({ endsAt }) => !next || next.startsAt > endsAt);
}
