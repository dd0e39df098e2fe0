import { eq, getTableColumns } from "drizzle-orm";
import type { StoredMonitor } from "../../../domain/alerts/review/reviewed-monitor.ts";
import { ancestorsOf, type DependencyGraph } from "../../../domain/monitors/dependencies.ts";
import { preparedOnce, type Sql, type Tx } from "../../tx.ts";
import { type LoadedPlace, loadPlaces } from "./load-places.ts";

export interface LoadedMonitor extends StoredMonitor {
  organizationPk: number;
  tags: readonly string[];
  nextCheckAt: number | null;
  outagePk: number | null;
  places: readonly LoadedPlace[] | null;
}

/** By their numbers; those that were deleted are left out. */
export async function loadMonitors(tx: Tx, pks: readonly number[]): Promise<Map<number, LoadedMonitor>> {
  const rows = await selectMonitors(tx).execute({ pks: tx.sets.list(pks) });
  const places = await loadPlaces(tx, rows);
  return new Map(
    rows.map(({ locations: _, ...row }) => [row.pk, { ...row, places: places.get(row.pk) ?? null }]),
  );
}

const selectMonitors = preparedOnce(({ db, sets, tables: { monitors, monitorStates, outages } }) => {
  const {
    status,
    troubleSince,
    nextCheckAt,
    suspicion,
    outagePk,
    blindSince,
    lastResultAt: latestAt,
  } = monitorStates;
  return db
    .select({
      ...getTableColumns(monitors),
      ...{ status, troubleSince, nextCheckAt, suspicion, outagePk, blindSince, latestAt },
      outageId: outages.id,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .leftJoin(outages, eq(outages.pk, outagePk))
    .where(sets.amongNamed(monitors.pk, "pks"))
    .prepare();
});

/** The numbers of the monitors that each of some monitors depends on, directly or not, the nearest first. */
export async function findAncestors(tx: Tx, monitorPks: readonly number[]): Promise<Map<number, number[]>> {
  const dependsOn = await loadDependencies(tx, monitorPks);
  return new Map(monitorPks.map((pk) => [pk, ancestorsOf(dependsOn, pk)]));
}

/** The direct dependencies of some monitors, and of all that they depend on. */
const LIST_DEPENDENCIES = `WITH RECURSIVE needed AS (
    SELECT monitor_pk, depends_on_pk FROM monitor_dependencies WHERE monitor_pk = ANY($1::bigint[])
    UNION
    SELECT further.monitor_pk, further.depends_on_pk
    FROM needed JOIN monitor_dependencies AS further ON further.monitor_pk = needed.depends_on_pk
  )
  SELECT monitor_pk AS "monitorPk", depends_on_pk AS "dependsOnPk" FROM needed`;

async function loadDependencies({ query }: Sql, monitorPks: readonly number[]): Promise<DependencyGraph> {
  const rows = await query<{ monitorPk: number; dependsOnPk: number }>(LIST_DEPENDENCIES, [monitorPks]);
  const byMonitor = Map.groupBy(rows, ({ monitorPk }) => monitorPk);
  return new Map([...byMonitor].map(([pk, some]) => [pk, some.map(({ dependsOnPk }) => dependsOnPk)]));
}
