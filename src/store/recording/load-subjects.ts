import { baselineStart, noLatency } from "../../domain/checks/latency-baseline.ts";
import { HERE } from "../../domain/locations/location.ts";
import { findKnownPlaces } from "../locations/known-places.ts";
import type { StoredPlacement } from "../locations/monitor-locations.ts";
import { findCalendars } from "../maintenance/calendars.ts";
import { baselineOf, currentBaseline, neededHours } from "../results/baselines.ts";
import { fromJson, type Sql, type Tx } from "../tx.ts";
import type { Wanted } from "./event-batches.ts";
import { baselineKey, type RecordingEngine, type WantedBaseline } from "./recording-engine.ts";
import { loadedPlaces, PLACE_COLUMNS, type PlaceRow } from "./stored-place.ts";
import {
  type LoadedPlaces,
  type StoredSubject,
  type SubjectRow,
  type SubjectValues,
  storedBaseline,
  subjectOf,
} from "./stored-subject.ts";

/** The columns that each engine loads of a monitor by its own statements. */
type LoadedRow = SubjectRow & SubjectValues & StoredPlacement;

/** Combines what an engine loaded of some monitors with their locations, baselines and calendars. */
export async function subjectsOf(
  tx: Tx,
  rows: readonly LoadedRow[],
  { wanted, loadBaselines }: Pick<RecordingEngine, "loadBaselines"> & { wanted: ReadonlyMap<string, Wanted> },
): Promise<Map<string, StoredSubject>> {
  const monitors = rows.filter(({ locations }) => locations !== null);
  const placed = monitors.length > 0 ? await loadPlaces(tx, monitors, { wanted, loadBaselines }) : null;
  const timeOf = ({ id }: LoadedRow) => wanted.get(id)?.at ?? 0;
  const stored = rows.map((row) => (row.locations === null ? storedBaseline(row) : null));
  // Almost no monitor needs hours: its stored baseline is of the present.
  const needed = rows.flatMap((row, at): WantedBaseline[] => {
    const [own, now] = [stored[at], timeOf(row)];
    return own && neededHours(own, now) ? [{ pk: row.pk, location: HERE, stored: own, now }] : [];
  });
  const baselines = needed.length > 0 ? await loadBaselines(tx, needed) : null;
  const calendars = await findCalendars(tx, rows);
  return new Map(
    rows.map((row, at) => {
      const [own, now] = [stored[at], timeOf(row)];
      const present = own ? currentBaseline(own, now, []) : noLatency;
      const baseline = baselines?.get(baselineKey({ pk: row.pk, location: HERE })) ?? present;
      return [row.id, subjectOf(row, row, { baseline, now, placed: placed?.get(row.pk) ?? null, calendars })];
    }),
  );
}

const LIST = `SELECT ${PLACE_COLUMNS} FROM location_states WHERE monitor_pk = ANY($1::integer[])`;

/** A monitor that is not checked only from this server. */
type PlacedMonitor = StoredPlacement & {
  pk: number;
  id: string;
  organizationId: string;
  placesSince: number | null;
};

/** The locations of some monitors, and their states, by the number of the monitor. */
async function loadPlaces(
  tx: Tx,
  monitors: readonly PlacedMonitor[],
  { wanted, loadBaselines }: Pick<RecordingEngine, "loadBaselines"> & { wanted: ReadonlyMap<string, Wanted> },
): Promise<Map<number, LoadedPlaces | null>> {
  const known = await findKnownPlaces(
    tx,
    monitors.map(({ organizationId }) => organizationId),
  );
  const rows = await listPlaceRows(
    tx,
    monitors.map(({ pk }) => pk),
  );
  const ids = new Map(monitors.map(({ pk, id }) => [pk, id]));
  const needed = rows.flatMap((row) => {
    const { monitorPk: pk, location } = row;
    const own = wanted.get(ids.get(pk) ?? "");
    return own?.from.has(location) ? [{ pk, location, stored: baselineOf(row), now: own.at }] : [];
  });
  const baselines = await loadBaselines(tx, needed);
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

/** The states of all locations of some monitors, also of locations that check them no more. */
async function listPlaceRows({ query }: Sql, monitorPks: readonly number[]): Promise<PlaceRow[]> {
  const rows = await query<PlaceRow>(LIST, [monitorPks]);
  return rows.map((row) => ({ ...row, memory: fromJson(row.memory), latest: fromJson(row.latest) }));
}
