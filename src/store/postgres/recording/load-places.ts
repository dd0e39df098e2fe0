import { baselineStart } from "../../../domain/checks/latency-baseline.ts";
import { findKnownPlaces } from "../../locations/known-places.ts";
import type { StoredPlacement } from "../../locations/monitor-locations.ts";
import type { Wanted } from "../../recording/event-batches.ts";
import { loadedPlaces, PLACE_COLUMNS, type PlaceRow } from "../../recording/stored-place.ts";
import type { LoadedPlaces } from "../../recording/stored-subject.ts";
import { baselineOf } from "../../results/baselines.ts";
import type { Sql } from "../../tx.ts";
import { baselineKey, loadBaselines } from "./baselines.ts";

const LIST = `SELECT ${PLACE_COLUMNS} FROM location_states WHERE monitor_pk = ANY($1::integer[])`;

/** A monitor that is not checked only from this server. */
type PlacedMonitor = StoredPlacement & {
  pk: number;
  id: string;
  organizationId: string;
  placesSince: number | null;
};

/** The locations of some monitors, and their states, by the number of the monitor. */
export async function loadPlaces(
  sql: Sql,
  monitors: readonly PlacedMonitor[],
  wanted: ReadonlyMap<string, Wanted>,
): Promise<Map<number, LoadedPlaces | null>> {
  if (monitors.length === 0) return new Map();
  const known = await findKnownPlaces(
    sql,
    monitors.map(({ organizationId }) => organizationId),
  );
  const rows = await listPlaceRows(
    sql,
    monitors.map(({ pk }) => pk),
  );
  const ids = new Map(monitors.map(({ pk, id }) => [pk, id]));
  const needed = rows.flatMap((row) => {
    const { monitorPk: pk, location } = row;
    const own = wanted.get(ids.get(pk) ?? "");
    return own?.from.has(location) ? [{ pk, location, stored: baselineOf(row), now: own.at }] : [];
  });
  const baselines = await loadBaselines(sql, needed);
  const starts = new Map(needed.map((one) => [baselineKey(one), baselineStart(one.now)]));
  const byMonitor = Map.groupBy(rows, ({ monitorPk }) => monitorPk);
  return new Map(
    monitors.map((monitor) => {
      const places = { known: known.get(monitor.organizationId), rows: byMonitor.get(monitor.pk) ?? [] };
      return [monitor.pk, loadedPlaces(monitor, places, baselineFor)];
    }),
  );

  function baselineFor({ monitorPk: pk, location }: PlaceRow) {
    const key = baselineKey({ pk, location });
    const [baseline, start] = [baselines.get(key), starts.get(key)];
    return baseline && start !== undefined ? { baseline, start } : undefined;
  }
}

/** The states of all locations of some monitors, also of those that check them no more. */
export function listPlaceRows({ query }: Sql, monitorPks: readonly number[]): Promise<PlaceRow[]> {
  return query<PlaceRow>(LIST, [monitorPks]);
}
