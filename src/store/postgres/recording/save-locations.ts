import { HERE } from "../../../domain/locations/location.ts";
import type { MonitorState } from "../../../domain/monitors/recording-plan.ts";
import { type ChangedPlace, changedPlaces } from "../../recording/stored-places.ts";
import { changedHere, findSubject, type StoredSubjects } from "../../recording/stored-subject.ts";
import type { Sql } from "../../tx.ts";
import { arraysOf } from "../values.ts";

const SAVE = `INSERT INTO location_states
    (monitor_pk, location, memory, baseline_count, baseline_sum, baseline_squares, baseline_start)
  SELECT monitor_pk, $7, memory, count, sum, squares, start
  FROM unnest($1::integer[], $2::json[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[])
    AS new (monitor_pk, memory, count, sum, squares, start)
  ON CONFLICT (monitor_pk, location) DO UPDATE SET memory = excluded.memory,
    baseline_count = excluded.baseline_count, baseline_sum = excluded.baseline_sum,
    baseline_squares = excluded.baseline_squares, baseline_start = excluded.baseline_start`;

/** Saves the memories and baselines that changed. */
export async function saveLocations(
  sql: Sql,
  subjects: StoredSubjects,
  states: ReadonlyMap<string, MonitorState>,
): Promise<void> {
  const rows = [...states].flatMap(([monitorId, state]) => {
    const subject = findSubject(subjects, monitorId);
    const here = changedHere(subject, state);
    return here
      ? [{ ...here, monitorPk: subject.pk, memory: here.memory && JSON.stringify(here.memory) }]
      : [];
  });
  const places = [...states].flatMap(([monitorId, { places }]) =>
    places ? changedPlaces(findSubject(subjects, monitorId), places) : [],
  );
  await savePlaces(sql, places);
  if (rows.length === 0) return;
  const columns = arraysOf(rows, ["monitorPk", "memory", "count", "sum", "sumOfSquares", "start"]);
  await sql.query(SAVE, [...columns, HERE]);
}

const SAVE_PLACES = `INSERT INTO location_states (monitor_pk, location, memory, baseline_count, baseline_sum,
    baseline_squares, baseline_start, latest_at, latest_status, latest, recheck_at)
  SELECT monitor_pk, location, memory, count, sum, squares, start, latest_at, latest_status, latest, recheck_at
  FROM unnest($1::integer[], $2::integer[], $3::json[], $4::bigint[], $5::bigint[], $6::bigint[], $7::integer[],
      $8::bigint[], $9::smallint[], $10::json[], $11::bigint[])
    AS new (monitor_pk, location, memory, count, sum, squares, start, latest_at, latest_status, latest, recheck_at)
  ON CONFLICT (monitor_pk, location) DO UPDATE SET memory = excluded.memory,
    baseline_count = excluded.baseline_count, baseline_sum = excluded.baseline_sum,
    baseline_squares = excluded.baseline_squares, baseline_start = excluded.baseline_start,
    latest_at = excluded.latest_at, latest_status = excluded.latest_status, latest = excluded.latest,
    recheck_at = excluded.recheck_at`;

const PLACE_COLUMNS = [
  "monitorPk",
  "location",
  "memory",
  "count",
  "sum",
  "sumOfSquares",
  "start",
  "latestAt",
  "latestStatus",
  "latest",
  "recheckAt",
] as const;

/** The states of the locations of monitors that are not checked only from this server. */
async function savePlaces(sql: Sql, places: readonly ChangedPlace[]): Promise<void> {
  if (places.length > 0) await sql.query(SAVE_PLACES, arraysOf(places, PLACE_COLUMNS));
}
