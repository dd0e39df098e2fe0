import { type Baseline, baselineStart, type LatencySums } from "../../../domain/checks/latency-baseline.ts";
import type { StoredPlacement } from "../../locations/monitor-locations.ts";
import type { Wanted } from "../../recording/event-batches.ts";
import {
  loadedPlaces,
  PLACE_COLUMNS,
  type PlaceBaseline,
  type PlaceRow,
} from "../../recording/stored-place.ts";
import type { LoadedPlaces } from "../../recording/stored-subject.ts";
import {
  baselineOf,
  currentBaseline,
  LIST_LATENCIES,
  neededHours,
  type StoredBaseline,
} from "../../results/baselines.ts";
import { HOUR } from "../../results/rollup-unit.ts";
import { findKnownPlaces } from "../locations/known-places.ts";
import { type Database, prepared, rowsOf } from "../open.ts";

const LIST = `SELECT ${PLACE_COLUMNS} FROM location_states WHERE monitor_pk IN (SELECT value FROM json_each(?))`;

type StoredPlaceRow = Omit<PlaceRow, "memory" | "latest"> & { memory: string | null; latest: string | null };

/** A monitor that is not checked only from this server. */
export type PlacedMonitor = StoredPlacement & {
  pk: number;
  id: string;
  organizationId: string;
  placesSince: number | null;
};

/** The locations of some monitors, and their states, by the number of the monitor. */
export function loadPlaces(
  db: Database,
  monitors: readonly PlacedMonitor[],
  wanted: ReadonlyMap<string, Wanted>,
): Map<number, LoadedPlaces | null> {
  if (monitors.length === 0) return new Map();
  const known = findKnownPlaces(
    db,
    monitors.map(({ organizationId }) => organizationId),
  );
  const rows = Map.groupBy(
    listPlaceRows(
      db,
      monitors.map(({ pk }) => pk),
    ),
    ({ monitorPk }) => monitorPk,
  );
  return new Map(
    monitors.map((monitor) => {
      const places = { known: known.get(monitor.organizationId), rows: rows.get(monitor.pk) ?? [] };
      return [
        monitor.pk,
        loadedPlaces(monitor, places, (row) => baselineFor(db, row, wanted.get(monitor.id))),
      ];
    }),
  );
}

function baselineFor(db: Database, row: PlaceRow, wanted: Wanted | undefined): PlaceBaseline | undefined {
  if (!wanted?.from.has(row.location)) return undefined;
  const { monitorPk: pk, location } = row;
  const baseline = loadBaseline(db, { pk, location, stored: baselineOf(row) }, wanted.at);
  return { baseline, start: baselineStart(wanted.at) };
}

/** The states of all locations of some monitors, also of those that check them no more. */
export function listPlaceRows(db: Database, monitorPks: readonly number[]): PlaceRow[] {
  const rows = prepared<StoredPlaceRow, [string]>(db, LIST).all(JSON.stringify(monitorPks));
  return rows.map(({ memory, latest, ...row }) => ({
    ...row,
    memory: memory === null ? null : JSON.parse(memory),
    latest: latest === null ? null : JSON.parse(latest),
  }));
}

/** The baseline of a location of a monitor at a moment, in milliseconds since 1970: see `currentBaseline`. */
export function loadBaseline(
  db: Database,
  { pk, location, stored }: { pk: number; location: number; stored: StoredBaseline },
  now: number,
): Baseline {
  const needed = neededHours(stored, now);
  if (!needed) return currentBaseline(stored, now, []);
  const hours = [needed.since / HOUR, needed.until / HOUR];
  return currentBaseline(stored, now, rowsOf<LatencySums>(db, LIST_LATENCIES, [pk, location, ...hours]));
}
