import { eq, getTableColumns, inArray } from "drizzle-orm";
import type { StoredMonitor } from "../../../domain/alerts/review/reviewed-monitor.ts";
import { ancestorsOf } from "../../../domain/monitors/dependencies.ts";
import type { Tx } from "../../tx.ts";
import type { ReviewLocks } from "./alert-reviews.ts";
import { type LoadedPlace, loadPlaces } from "./load-places.ts";

/** The most monitors in one statement. */
const MONITORS_AT_ONCE = 500;

export interface LoadedMonitor extends StoredMonitor {
  organizationPk: number;
  tags: readonly string[];
  nextCheckAt: number | null;
  outagePk: number | null;
  places: readonly LoadedPlace[] | null;
}

/** By their numbers; those that were deleted are left out. */
export async function loadMonitors(
  tx: Tx,
  { findLatestResults }: ReviewLocks,
  pks: readonly number[],
): Promise<Map<number, LoadedMonitor>> {
  const rows: MonitorRow[] = [];
  for (let at = 0; at < pks.length; at += MONITORS_AT_ONCE)
    rows.push(...(await listRows(tx, pks.slice(at, at + MONITORS_AT_ONCE))));
  const latest = await findLatestResults(rows.map(({ pk }) => pk));
  const places = await loadPlaces(tx, rows);
  return new Map(
    rows.map(({ locations: _, ...row }) => [
      row.pk,
      { ...row, latestAt: latest.get(row.pk) ?? null, places: places.get(row.pk) ?? null },
    ]),
  );
}

type MonitorRow = Awaited<ReturnType<typeof listRows>>[number];

function listRows({ db, tables: { monitors, monitorStates, outages } }: Tx, pks: readonly number[]) {
  const { status, troubleSince, nextCheckAt, suspicion, outagePk } = monitorStates;
  return db
    .select({
      ...getTableColumns(monitors),
      ...{ status, troubleSince, nextCheckAt, suspicion, outagePk },
      outageId: outages.id,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .leftJoin(outages, eq(outages.pk, outagePk))
    .where(inArray(monitors.pk, [...pks]));
}

/** The numbers of the monitors that each of some monitors depends on, directly or not, the nearest first. */
export async function findAncestors(tx: Tx, monitorPks: readonly number[]): Promise<Map<number, number[]>> {
  const dependsOn = await loadDependencies(tx, monitorPks);
  return new Map(monitorPks.map((pk) => [pk, ancestorsOf(dependsOn, pk)]));
}

/** The direct dependencies of some monitors, and of all that they depend on. */
async function loadDependencies({ db, tables }: Tx, monitorPks: readonly number[]) {
  const { monitorDependencies } = tables;
  const dependsOn = new Map<number, number[]>();
  const known = new Set(monitorPks);
  let level = [...known];
  while (level.length > 0) {
    const found: typeof level = [];
    for (let at = 0; at < level.length; at += MONITORS_AT_ONCE) {
      const rows = await db
        .select()
        .from(monitorDependencies)
        .where(inArray(monitorDependencies.monitorPk, level.slice(at, at + MONITORS_AT_ONCE)));
      for (const { monitorPk, dependsOnPk } of rows) {
        dependsOn.set(monitorPk, [...(dependsOn.get(monitorPk) ?? []), dependsOnPk]);
        found.push(dependsOnPk);
      }
    }
    level = [...new Set(found).difference(known)];
    for (const pk of level) known.add(pk);
  }
  return dependsOn;
}
