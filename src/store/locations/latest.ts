import type { LatestObservation } from "../../domain/locations/place.ts";
import { type SeenDown, seenDown } from "../../domain/locations/votes.ts";
import type { Status } from "../../domain/monitors/status.ts";
import type { PlaceReport } from "../monitors/monitor-report.ts";
import { latestOf, type PlaceRow } from "../recording/stored-place.ts";
import { fromJson, type Sql } from "../tx.ts";
import { type KnownPlaces, listPlaces } from "./known-places.ts";

/** The latest observation of a location, as it is stored. */
export type LatestRow = Pick<PlaceRow, "monitorPk" | "location" | "latestAt" | "latestStatus" | "latest">;

/** Lists a `LatestRow` for each location that checked some monitors. @param $1 the numbers of the monitors */
export const LIST_LATEST = `SELECT monitor_pk AS "monitorPk", location, latest_at AS "latestAt", latest_status AS "latestStatus",
    latest
  FROM location_states WHERE monitor_pk = ANY($1::integer[]) AND latest_status IS NOT NULL`;

/** The latest observations, by the number of the monitor, then of the location. */
export type LatestByMonitor = ReadonlyMap<number, ReadonlyMap<number, LatestObservation>>;

/** The latest observations of some monitors. Monitors that only this server checks are left out. */
export async function findLatest(
  { query }: Sql,
  monitors: readonly Pick<ShownMonitor, "pk" | "locations">[],
): Promise<LatestByMonitor> {
  const pks = placedPks(monitors);
  return pks.length === 0 ? new Map() : latestByMonitor(await query(LIST_LATEST, [pks]));
}

/** The numbers of the monitors that not only this server checks. */
export function placedPks(monitors: readonly Pick<ShownMonitor, "pk" | "locations">[]): number[] {
  return monitors.filter(({ locations }) => locations !== null).map(({ pk }) => pk);
}

export function latestByMonitor(rows: readonly LatestRow[]): LatestByMonitor {
  const byMonitor = Map.groupBy(rows, ({ monitorPk }) => monitorPk);
  return new Map(
    [...byMonitor].map(([pk, own]) => [
      pk,
      new Map(
        own.flatMap((row) => {
          const latest = latestOf({ ...row, latest: fromJson(row.latest) });
          return latest ? [[row.location, latest] as const] : [];
        }),
      ),
    ]),
  );
}

interface ShownMonitor {
  pk: number;
  status: Status;
  locations: readonly number[] | null;
}

/** @returns null also for a monitor that only this server checks */
export function seenDownOf(
  { pk, status, locations }: ShownMonitor,
  known: KnownPlaces | undefined,
  latest: LatestByMonitor,
): SeenDown | null {
  if (!locations || !known) return null;
  return seenDown(status, listPlaces(locations, known), latest.get(pk) ?? new Map());
}

/** @returns none for a monitor that only this server checks */
export function placeReports(
  { pk, locations }: Pick<ShownMonitor, "pk" | "locations">,
  known: KnownPlaces | undefined,
  latest: LatestByMonitor,
): PlaceReport[] {
  if (!locations || !known) return [];
  return listPlaces(locations, known).map(({ location, id, name, state, isAtFault }) => {
    return { id, name, state, isAtFault, latest: latest.get(pk)?.get(location) ?? null };
  });
}
