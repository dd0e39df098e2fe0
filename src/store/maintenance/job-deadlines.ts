import { and, eq, gt, isNotNull } from "drizzle-orm";
import type { WindowEnd } from "../../domain/heartbeats/heartbeat.ts";
import { afterWindowChange } from "../../domain/heartbeats/missed-runs.ts";
import { createCalendar, type SelectedMonitor } from "../../domain/maintenance/calendar.ts";
import type { MaintenanceDefinition } from "../../domain/maintenance/maintenance.ts";
import type { MonitorConfig } from "../../domain/monitors/monitor.ts";
import { heartbeatOf, storedHeartbeat } from "../recording/stored-heartbeat.ts";
import type { Tx } from "../tx.ts";

/** How many monitors are in memory at once. */
const BATCH = 2000;

/** The maintenances of an organization before and after a change of one of them. */
export interface ChangedDefinitions {
  organizationPk: number;
  before: readonly MaintenanceDefinition[];
  after: readonly MaintenanceDefinition[];
}

/** The update of a state, if its deadline is still the same: one that a recording changes at the same time is left. */
export type MovedDeadline = Exclude<ReturnType<typeof movedDeadline>, undefined>;

/**
 * The deadlines of SCHEDULED monitors whose window the change moved or ended (behavior 14.39).
 *
 * @param now milliseconds since 1970
 */
export async function findMovedDeadlines(
  tx: Tx,
  { organizationPk, before, after }: ChangedDefinitions,
  now: number,
): Promise<MovedDeadline[]> {
  const [calendarBefore, calendarAfter] = [createCalendar(before), createCalendar(after)];
  const endsIn =
    (calendar: typeof calendarBefore, monitor: SelectedMonitor): WindowEnd =>
    (at) =>
      calendar.windowOf(monitor, at)?.endsAt ?? null;
  const moved: MovedDeadline[] = [];
  for (let last = 0, rows: JobRow[] = []; ; last = rows.at(-1)?.pk ?? last) {
    rows = await listJobs(tx, organizationPk, last);
    for (const row of rows) {
      const windows = { before: endsIn(calendarBefore, row), after: endsIn(calendarAfter, row) };
      const one = movedDeadline(row, { ...windows, now });
      if (one) moved.push(one);
    }
    if (rows.length < BATCH) return moved;
  }
}

type JobRow = Awaited<ReturnType<typeof listJobs>>[number];

async function listJobs(
  { db, tables: { monitors, monitorStates } }: Tx,
  organizationPk: number,
  after: number,
) {
  const { pk, id, tags, config } = monitors;
  const { deadline, rhythm } = monitorStates;
  return db
    .select({ pk, id, tags, config, deadline, rhythm })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, pk))
    .where(
      and(
        eq(monitors.organizationPk, organizationPk),
        eq(monitors.type, "SCHEDULED"),
        isNotNull(deadline),
        gt(pk, after),
      ),
    )
    .orderBy(pk)
    .limit(BATCH);
}

/** @returns undefined if it does not move */
function movedDeadline(
  { pk: monitorPk, config, deadline, rhythm }: JobRow,
  windows: { before: WindowEnd; after: WindowEnd; now: number },
) {
  if (deadline === null) return undefined;
  const state = heartbeatOf({ deadline, rhythm });
  const moved = afterWindowChange(state, config as MonitorConfig<"SCHEDULED">, windows);
  if (moved === state) return undefined;
  return { where: { monitorPk, deadline }, set: storedHeartbeat(moved, config) };
}
