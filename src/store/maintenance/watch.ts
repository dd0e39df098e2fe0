import { and, eq, isNull, max } from "drizzle-orm";
import type { MaintenanceTimes } from "../../domain/maintenance/maintenance.ts";
import {
  nextChangeAfter,
  nextWindowAfter,
  openWindowAt,
  type Window,
} from "../../domain/maintenance/windows.ts";
import { scheduleReviewsOfOrganization } from "../alerts/review/schedule-reviews.ts";
import type { Sql, Tx } from "../tx.ts";
import { ask, findAskedAtEnd } from "./ask-at-end.ts";
import { noteWindow } from "./runs.ts";
import type { MaintenanceRow } from "./stored-maintenance.ts";

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
export async function noteWindows(tx: Tx, organizationPk: number, now: number): Promise<NotedWindows> {
  const { maintenances } = tx.tables;
  const ofOrganization = eq(maintenances.organizationPk, organizationPk);
  const rows = await tx.db.select().from(maintenances).where(ofOrganization).orderBy(maintenances.pk);
  const open = await listOpenRuns(tx, organizationPk);
  let isChanged = false;
  // A stored window may have ended, and another one started, while no server ran.
  const isNoted = (row: MaintenanceRow) =>
    (openWindowAt(row, now)?.startsAt ?? null) === (open.get(row.id) ?? null);
  const changed = rows.filter((row) => !isNoted(row));
  // The states before the channels: recordings lock in this order.
  const isOver = changed.some(({ id }) => open.has(id));
  const asked = isOver ? await findAskedAtEnd(tx, organizationPk, now) : [];
  await tx.lockStates(asked.map(({ pk }) => pk));
  await ask(tx, asked, now);
  for (const row of changed) if (await noteWindow(tx, { before: row, after: row }, now)) isChanged = true;
  const openNow = await listOpenRuns(tx, organizationPk);
  // All windows since the start of one that is still open are part of it.
  const mayHaveMissed = rows.filter(({ id }) => !open.has(id) || openNow.get(id) !== open.get(id));
  await storeMissed(tx, mayHaveMissed, { organizationPk, now });
  if (isChanged) await scheduleReviewsOfOrganization(tx, organizationPk, now);
  const nextChangeAt = Math.min(...rows.map((row) => nextChangeAfter(row, now)));
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
