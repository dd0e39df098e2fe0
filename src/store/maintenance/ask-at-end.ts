import { and, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL } from "drizzle-orm";
import { HERE } from "../../domain/locations/location.ts";
import { SOON } from "../../domain/locations/silence.ts";
import type { SelectedMonitor } from "../../domain/maintenance/maintenance.ts";
import { isSelected, type Selector } from "../../domain/monitors/selector.ts";
import { TROUBLE } from "../../domain/monitors/status.ts";
import { loadPlaces } from "../alerts/review/load-monitors.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { findOpenWindows } from "./calendars.ts";

/*
 * At the end of a window, its monitors that are in trouble are checked at once, by all of their locations, so that their
 * status is the present one (behavior 14.21). The scheduler finds them with its next scan. Times are milliseconds since 1970.
 */

/**
 * The monitors in trouble that a window of an organization contained until now, and none contains any more. To be called
 * before the stored windows are closed.
 */
export async function findAskedAtEnd(tx: TimedTx, organizationPk: number): Promise<Troubled[]> {
  const { maintenanceRuns: runs, monitors } = tx.tables;
  const open = await tx.db
    .select({ selector: runs.selector })
    .from(runs)
    .where(and(eq(runs.organizationPk, organizationPk), isNull(runs.endsAt)));
  if (open.length === 0) return [];
  const calendar = await findOpenWindows(tx, organizationPk);
  const isOver = (monitor: SelectedMonitor) =>
    open.some(({ selector }) => isSelected(selector, monitor)) && !calendar.windowOf(monitor, tx.now);
  const inTrouble = await listInTrouble(tx, eq(monitors.organizationPk, organizationPk));
  return inTrouble.filter(isOver);
}

/** A monitor whose tags change. */
export interface RetaggedMonitor {
  pk: number;
  id: string;
  before: readonly string[];
  after: readonly string[];
}

/** For the monitors that leave a window because of their tags. */
export async function askRetagged(
  tx: TimedTx,
  { organizationPk, retagged }: { organizationPk: number; retagged: readonly RetaggedMonitor[] },
): Promise<void> {
  if (retagged.length === 0) return;
  const calendar = await findOpenWindows(tx, organizationPk);
  const left = retagged.filter(
    ({ id, before, after }) =>
      calendar.windowOf({ id, tags: before }, tx.now) && !calendar.windowOf({ id, tags: after }, tx.now),
  );
  if (left.length === 0) return;
  const pks = left.map(({ pk }) => pk);
  const asked = await listInTrouble(tx, tx.sets.among(tx.tables.monitors.pk, pks));
  await tx.lockStates(asked.map(({ pk }) => pk));
  await ask(tx, asked);
}

export type Troubled = Awaited<ReturnType<typeof listInTrouble>>[number];

/** The monitors that are probed and whose status, or whose latest check, is not good. In the order of their numbers. */
function listInTrouble({ db, tables: { monitors, monitorStates } }: Tx, some: SQL) {
  const { pk, id, organizationPk, tags, locations } = monitors;
  const { status, suspicion } = monitorStates;
  const isProbed = and(monitors.enabled, ne(monitors.type, "SCHEDULED"));
  return db
    .select({ pk, id, organizationPk, tags, locations })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, pk))
    .where(and(some, isProbed, or(inArray(status, TROUBLE), isNotNull(suspicion))))
    .orderBy(pk);
}

/**
 * Schedules a check of monitors. The number of statements does not depend on their number. Their states are locked: recordings lock
 * them before what locations saw.
 */
export async function ask(tx: TimedTx, monitors: readonly Troubled[]): Promise<void> {
  if (monitors.length === 0) return;
  const { monitorStates } = tx.tables;
  const { monitorPk, nextCheckAt } = monitorStates;
  const pks = monitors.map(({ pk }) => pk);
  const isLater = gt(nextCheckAt, tx.now + SOON);
  await tx.db
    .update(monitorStates)
    .set({ nextCheckAt: tx.now })
    .where(and(tx.sets.among(monitorPk, pks), isLater));
  await askRemote(tx, monitors);
}

const ASK_SPREAD = `UPDATE monitor_states SET next_check_at = asked.at
  FROM json_to_recordset($1) AS asked (pk integer, at bigint)
  WHERE monitor_pk = asked.pk AND next_check_at > asked.at + ${SOON}`;

/** Like `ask`, but the checks of this server begin one after another. @param within milliseconds */
export async function askSpread(tx: TimedTx, monitors: readonly Troubled[], within: number): Promise<void> {
  if (monitors.length === 0) return;
  const step = within / monitors.length;
  const asked = monitors.map(({ pk }, place) => ({ pk, at: tx.now + Math.floor(place * step) }));
  await tx.query(ASK_SPREAD, [JSON.stringify(asked)]);
  await askRemote(tx, monitors);
}

/** A location without a state of the monitor has made no check yet, so its first one is due. */
async function askRemote(tx: TimedTx, monitors: readonly Troubled[]): Promise<void> {
  const placed = monitors.filter(({ locations }) => locations !== null);
  if (placed.length === 0) return;
  const places = await loadPlaces(tx, placed);
  const remote = new Set([...places.values()].flat().map(({ location }) => location));
  remote.delete(HERE);
  const { locationStates } = tx.tables;
  const { monitorPk, location, recheckAt } = locationStates;
  const pks = placed.map(({ pk }) => pk);
  await tx.db
    .update(locationStates)
    .set({ recheckAt: tx.now })
    .where(
      and(
        tx.sets.among(monitorPk, pks),
        tx.sets.among(location, [...remote]),
        or(isNull(recheckAt), gt(recheckAt, tx.now)),
      ),
    );
}

/**
 * The monitors whose states may change with some maintenances: jobs with a deadline and probed monitors in trouble that a
 * selector names, before or after the change, or that a window contains until now. For a transaction that locks other states
 * too, and so has to lock all of them at once.
 *
 * @param ids of the maintenances that change @param selectors of the changed ones
 * @returns their numbers
 */
export async function findAffected(
  tx: Tx,
  {
    organizationPk,
    ids,
    selectors,
  }: { organizationPk: number; ids: readonly string[]; selectors: readonly Selector[] },
): Promise<number[]> {
  const { db, sets, tables } = tx;
  const { maintenances, maintenanceRuns: runs, monitors, monitorStates } = tables;
  const stored = await db
    .select({ selector: maintenances.selector })
    .from(maintenances)
    .where(sets.among(maintenances.id, ids));
  const open = await db
    .select({ selector: runs.selector })
    .from(runs)
    .where(and(eq(runs.organizationPk, organizationPk), isNull(runs.endsAt)));
  const isJob = and(eq(monitors.type, "SCHEDULED"), isNotNull(monitorStates.deadline));
  const ofOrganization = eq(monitors.organizationPk, organizationPk);
  const jobs = await db
    .select({ pk: monitors.pk, id: monitors.id, tags: monitors.tags })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(and(ofOrganization, isJob));
  const all = [...selectors, ...[...stored, ...open].map(({ selector }) => selector)];
  return [...jobs, ...(await listInTrouble(tx, ofOrganization))].flatMap((monitor) =>
    all.some((selector) => isSelected(selector, monitor)) ? monitor.pk : [],
  );
}
