import { eq, getTableColumns, inArray } from "drizzle-orm";
import type { StoredMonitor } from "../../../domain/alerts/review/reviewed-monitor.ts";
import { HERE } from "../../../domain/locations/location.ts";
import { canVote } from "../../../domain/locations/votes.ts";
import { ancestorsOf, type DependencyGraph } from "../../../domain/monitors/dependencies.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { type KnownPlaces, knownPlacesOf, listPlaces } from "../../locations/watch.ts";
import { preparedOnce, type Sql, type Tx } from "../../tx.ts";

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

/** A location that can check a monitor. Times are milliseconds since 1970; null before its first check. */
interface LoadedPlace {
  location: number;
  latestAt: number | null;
  latestStatus: Status | null;
  recheckAt: number | null;
}

interface ReviewedMonitor {
  pk: number;
  organizationPk: number;
  locations: readonly number[] | null;
}

/** The locations with a vote, by the number of the monitor. Monitors that only this server checks are left out. */
export async function loadPlaces(
  tx: Tx,
  monitors: readonly ReviewedMonitor[],
): Promise<Map<number, LoadedPlace[]>> {
  const placed = monitors.filter(({ locations }) => locations !== null);
  if (placed.length === 0) return new Map();
  const known = await loadKnownPlaces(tx, [...new Set(placed.map((one) => one.organizationPk))]);
  const { locationStates } = tx.tables;
  const { monitorPk, location, latestAt, latestStatus, recheckAt } = locationStates;
  const pks = placed.map(({ pk }) => pk);
  const states = await tx.db
    .select({ monitorPk, location, latestAt, latestStatus, recheckAt })
    .from(locationStates)
    .where(inArray(monitorPk, pks));
  const stateOf = new Map(states.map((state) => [`${state.monitorPk} ${state.location}`, state]));
  return new Map(
    placed.map(({ pk, organizationPk, locations }) => [
      pk,
      listPlaces(locations ?? [], known.get(String(organizationPk)) ?? new Map())
        .filter(canVote)
        .map((place) => placeOf(place.location, stateOf.get(`${pk} ${place.location}`))),
    ]),
  );
}

function placeOf(location: number, state: Omit<LoadedPlace, "location"> | undefined): LoadedPlace {
  const { latestAt = null, latestStatus = null, recheckAt = null } = state ?? {};
  return { location, latestAt, latestStatus, recheckAt };
}

/** The locations of some organizations, by the number of the organization as a text. */
async function loadKnownPlaces(
  { db, tables: { locations, organizations } }: Tx,
  organizationPks: number[],
): Promise<Map<string, KnownPlaces>> {
  const { pk, id, name, lastSeenAt, silentAt, atFaultAt, organizationPk } = locations;
  const remote = await db
    .select({ pk, id, name, lastSeenAt, silentAt, atFaultAt, organizationId: organizationPk })
    .from(locations)
    .where(inArray(organizationPk, organizationPks));
  const here = await db
    .select({ organizationId: organizations.pk, atFaultAt: organizations.hereAtFaultAt })
    .from(organizations)
    .where(inArray(organizations.pk, organizationPks));
  const rows = [
    ...here.map((row) => ({ ...row, pk: HERE, id: "here", name: "here", lastSeenAt: null, silentAt: null })),
    ...remote,
  ];
  return knownPlacesOf(
    rows.map(({ organizationId, ...row }) => ({ ...row, organizationId: String(organizationId) })),
  );
}
