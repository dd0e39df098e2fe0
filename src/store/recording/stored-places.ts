import type { Memory } from "../../domain/checks/judge.ts";
import { type Baseline, baselineStart } from "../../domain/checks/latency-baseline.ts";
import type { LatestObservation, PlaceState } from "../../domain/locations/place.ts";
import type { StoredPlacement } from "../locations/monitor-locations.ts";
import { findKnownPlaces, type KnownPlaces, placesOf } from "../locations/watch.ts";
import { BASELINE_COLUMNS, type BaselineColumns, baselineOf, HOUR } from "../results/hour-columns.ts";
import { statusCodes, statusOfCode } from "../status-codes.ts";
import { fromJson, type Sql, type Tx } from "../tx.ts";
import { baselineKey, type RecordingEngine, type Wanted } from "./recording-engine.ts";
import type { LoadedPlaces, StoredSubject } from "./stored-subject.ts";

/** The rest of a `LatestObservation`, which is stored as JSON. */
type LatestRest = Omit<LatestObservation, "at" | "status">;

/** A row of `location_states`. */
export interface PlaceRow extends BaselineColumns {
  monitorPk: number;
  location: number;
  memory: Memory | null;
  latestAt: number | null;
  /** Its code. */
  latestStatus: number | null;
  latest: LatestRest | null;
  recheckAt: number | null;
}

/** The columns of a `PlaceRow`, for both engines. */
const PLACE_COLUMNS = `monitor_pk AS "monitorPk", location, memory, ${BASELINE_COLUMNS}, latest_at AS "latestAt", latest_status AS "latestStatus", latest,
  recheck_at AS "recheckAt"`;

/** A baseline at an hour, in milliseconds since 1970. */
interface PlaceBaseline {
  baseline: Baseline;
  start: number;
}

/** @param baseline the present baseline; undefined if the stored baseline is enough */
function placeStateOf(row: PlaceRow, baseline: PlaceBaseline | undefined): PlaceState {
  const stored = baselineOf(row);
  return {
    memory: row.memory,
    baseline: baseline?.baseline ?? stored.baseline,
    baselineStart: baseline?.start ?? stored.start,
    latest: latestOf(row),
    recheckAt: row.recheckAt,
  };
}

export function latestOf({
  latestAt: at,
  latestStatus: status,
  latest,
}: Pick<PlaceRow, "latestAt" | "latestStatus" | "latest">): LatestObservation | null {
  return at === null || status === null || latest === null
    ? null
    : { status: statusOfCode(status), at, ...latest };
}

/** @param baseline the present baseline of the location of a row, if it is needed */
function loadedPlaces(
  monitor: StoredPlacement & { placesSince: number | null },
  { known, rows }: { known: KnownPlaces | undefined; rows: readonly PlaceRow[] },
  baseline: (row: PlaceRow) => PlaceBaseline | undefined,
): LoadedPlaces | null {
  const places = placesOf(monitor, known);
  if (!places) return null;
  const used = rows.filter(({ location }) => monitor.locations?.includes(location));
  return { places, states: new Map(used.map((row) => [row.location, placeStateOf(row, baseline(row))])) };
}

/** The state of a location of a monitor after a plan, as it is stored. @property baselineStart hours since 1970 */
export interface ChangedPlace {
  monitorPk: number;
  location: number;
  /** JSON. */
  memory: string | null;
  count: number;
  sum: number;
  sumOfSquares: number;
  start: number;
  latestAt: number | null;
  latestStatus: number | null;
  /** JSON. */
  latest: string | null;
  recheckAt: number | null;
  /** Whether the columns that are in an index changed, or the row is new. */
  isIndexed: boolean;
}

/** The states of the locations of a monitor that a plan changed. */
export function changedPlaces(
  { pk: monitorPk, state }: Pick<StoredSubject, "pk" | "state">,
  places: ReadonlyMap<number, PlaceState>,
): ChangedPlace[] {
  return [...places].flatMap(([location, place]) => {
    const before = state.places?.get(location);
    return place === before ? [] : [changedPlace({ monitorPk, location }, place, before)];
  });
}

function changedPlace(
  key: { monitorPk: number; location: number },
  { memory, baseline, baselineStart: start, latest, recheckAt }: PlaceState,
  before: PlaceState | undefined,
): ChangedPlace {
  const { at = null, status = null, ...rest } = latest ?? {};
  return {
    ...key,
    memory: memory && JSON.stringify(memory),
    ...baseline,
    start: start / HOUR,
    latestAt: at,
    latestStatus: status && statusCodes[status],
    latest: latest && JSON.stringify(rest),
    recheckAt,
    isIndexed: !before || before.latest?.status !== latest?.status || before.recheckAt !== recheckAt,
  };
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
export async function loadPlaces(
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
