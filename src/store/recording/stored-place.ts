import type { Memory } from "../../domain/checks/judge.ts";
import type { Baseline } from "../../domain/checks/latency-baseline.ts";
import type { LatestObservation, PlaceState } from "../../domain/locations/place.ts";
import type { MonitorState } from "../../domain/monitors/recording-plan.ts";
import { type KnownPlaces, placesOf } from "../locations/known-places.ts";
import type { StoredPlacement } from "../locations/monitor-locations.ts";
import { BASELINE_COLUMNS, type BaselineColumns, baselineOf } from "../results/baselines.ts";
import { HOUR } from "../results/rollup-unit.ts";
import { statusCodes, statusOfCode } from "../status-codes.ts";
import { findSubject, type LoadedPlaces, type StoredSubjects } from "./stored-subject.ts";

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
export const PLACE_COLUMNS = `monitor_pk AS "monitorPk", location, memory, ${BASELINE_COLUMNS}, latest_at AS "latestAt", latest_status AS "latestStatus", latest,
  recheck_at AS "recheckAt"`;

/** A baseline at an hour, in milliseconds since 1970. */
export interface PlaceBaseline {
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
export function loadedPlaces(
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

/** The states of locations that a plan changed. */
export function changedPlaces(
  subjects: StoredSubjects,
  states: ReadonlyMap<string, MonitorState>,
): ChangedPlace[] {
  const changed: ChangedPlace[] = [];
  for (const [monitorId, { places }] of states) {
    if (!places) continue;
    const { pk: monitorPk, state } = findSubject(subjects, monitorId);
    for (const [location, place] of places) {
      const before = state.places?.get(location);
      if (place !== before) changed.push(changedPlace({ monitorPk, location }, place, before));
    }
  }
  return changed;
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
