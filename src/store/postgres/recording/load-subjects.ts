import type { Baseline, LatencySums } from "../../../domain/checks/latency-baseline.ts";
import type { StoredPlacement } from "../../locations/monitor-locations.ts";
import { baselineKey, type Wanted, type WantedBaseline } from "../../recording/recording-engine.ts";
import {
  findSubject,
  IS_AWAITED,
  SUBJECT_COLUMNS,
  type StoredSubject as Subject,
  type SubjectRow,
  type SubjectValues,
  subjectsOf,
} from "../../recording/stored-subject.ts";
import { currentBaseline, HOUR, neededHours, OPEN_COLUMNS } from "../../results/hour-columns.ts";
import type { Sql } from "../../tx.ts";
import type { PostgresTx } from "../connections.ts";
import type { StoredDetail } from "../results/details.ts";
import { arraysOf } from "../values.ts";

/** A monitor as it was before a batch. Its state is locked until the transaction ends. */
export interface StoredSubject extends Subject {
  /** The fencing number of the latest claim of a job, and the deadline that it is for: see `schema.ts`. */
  claim: number;
  claimedSlot: number | null;
  /** When a job is judged next, as it is stored. */
  slot: number | null;
  /** Whether a node took a slot of it over from another one. */
  isTakenOver: boolean;
  /** When the latest result was made; null without results. */
  lastResultAt: number | null;
  /** The detail of the latest result; null if it has none. */
  lastDetail: StoredDetail | null;
  /** A number of `check_results_pk` for its next result; null after it was used. */
  reservedPk: number | null;
}

const WANTED = "monitor_pk = ANY(ARRAY(SELECT pk FROM monitors WHERE id = ANY($1::text[])))";

const LOCKED = `WHERE ${WANTED} ORDER BY monitor_pk FOR UPDATE`;

const LOCK = `SELECT monitor_pk AS pk FROM monitor_states ${LOCKED}`;

/** The row that is locked is read as it is after the lock was awaited. */
const LOCK_AND_READ = `SELECT monitor_pk AS pk, status, status_since AS "statusSince", trouble_since AS "troubleSince",
    outage_pk AS "outagePk", next_check_at AS "nextCheckAt", last_result_pk AS "lastResultPk",
    last_good_latency AS "lastGoodLatency", deadline, rhythm, suspicion, places_since AS "placesSince",
    status_before AS "statusBefore", claim, claimed_slot AS "claimedSlot", last_result_at AS "lastResultAt",
    last_detail_pk AS "lastDetailPk", ${OPEN_COLUMNS}
  FROM monitor_states ${LOCKED}`;

/**
 * With subqueries, because they have one plan: an index scan for each monitor. The empty `INSERT` locks the table before the numbers are
 * taken: the packing of a day relies on larger numbers for what is recorded after its own lock (`housekeeping/pack-days.ts`).
 */
const LOAD = `WITH locked AS (
    INSERT INTO check_results (pk, monitor_pk, status, created_at) SELECT 0, 0, 0, 0 WHERE false
  )
  SELECT monitors.*, location.*, detail.*, nextval('check_results_pk') AS "reservedPk",
    wanted.pk IN (SELECT unnest(monitor_pks) FROM check_claims WHERE is_takeover) AS "isTakenOver"
  FROM (SELECT monitor_pk AS pk, last_detail_pk AS detail_pk FROM monitor_states WHERE ${WANTED}) AS wanted
  CROSS JOIN LATERAL (
    SELECT ${SUBJECT_COLUMNS},
      organizations.pk AS "organizationPk", organizations.id AS "organizationId",
      organizations.name AS "organizationName", organizations.maintenance_revision AS "maintenanceRevision",
      CASE WHEN organizations.maintenance_revision <> 0 THEN monitors.tags END AS tags
    FROM monitors JOIN organizations ON organizations.pk = monitors.organization_pk
    WHERE monitors.pk = wanted.pk LIMIT 1
  ) AS monitors
  LEFT JOIN LATERAL (
    SELECT memory, baseline_count AS "baselineCount", baseline_sum AS "baselineSum",
      baseline_squares AS "baselineSquares", baseline_start AS "baselineStart", restart_hour AS "restartHour",
      restart_count AS "restartCount", restart_sum AS "restartSum", restart_squares AS "restartSquares"
    FROM location_states WHERE monitor_pk = wanted.pk AND location = 0 LIMIT 1
  ) AS location ON true
  LEFT JOIN LATERAL (
    SELECT hash AS "lastDetailHash", used_at AS "lastDetailUsedAt"
    FROM details WHERE pk = wanted.detail_pk LIMIT 1
  ) AS detail ON true`;

const LOAD_TROUBLES = `SELECT state.pk, state."isAwaited", outages.*
  FROM unnest($1::integer[]) AS wanted (pk)
  CROSS JOIN LATERAL (
    SELECT monitor_pk AS pk, outage_pk, ${IS_AWAITED} FROM monitor_states WHERE monitor_pk = wanted.pk LIMIT 1
  ) AS state
  LEFT JOIN LATERAL (
    SELECT id AS "outageId", started_at AS "outageStartedAt", status AS "outageStatus",
      reason AS "outageReason", acknowledged_at AS "acknowledgedAt", acknowledged_by AS "acknowledgedBy", note
    FROM outages WHERE pk = state.outage_pk LIMIT 1
  ) AS outages ON true`;

/** The columns of an outage, and whether a notification waits. Few monitors have any of it. */
type Trouble = Pick<
  SubjectRow,
  | "outageId"
  | "outageStartedAt"
  | "outageStatus"
  | "outageReason"
  | "acknowledgedAt"
  | "acknowledgedBy"
  | "note"
> &
  Pick<SubjectValues, "isAwaited">;

type LoadedRow = SubjectRow &
  SubjectValues &
  StoredPlacement &
  Pick<StoredSubject, "claim" | "claimedSlot" | "isTakenOver" | "lastResultAt" | "reservedPk"> & {
    lastDetailPk: number | null;
    lastDetailHash: Uint8Array | null;
    lastDetailUsedAt: number | null;
  };

/**
 * Locks the states of monitors, in an order that prevents deadlocks. The lock protects all rows that recordings write for
 * these monitors: location states, outages, rollups and details.
 */
export async function lockStates(sql: Sql, monitorIds: readonly string[]): Promise<void> {
  await sql.query(LOCK, [monitorIds]);
}

/** Locks the states of some monitors, then loads the monitors, by ID. Deleted monitors are left out. */
export async function loadSubjects(
  tx: PostgresTx,
  wanted: ReadonlyMap<string, Wanted>,
): Promise<Map<string, StoredSubject>> {
  const rows = await loadRows(tx, [...wanted.keys()]);
  const subjects = await subjectsOf(tx, rows, { wanted, loadBaselines });
  return new Map(rows.map((row) => [row.id, withClaim(findSubject(subjects, row.id), row)]));
}

async function loadRows(tx: PostgresTx, monitorIds: readonly string[]): Promise<LoadedRow[]> {
  const locked = tx.queue<LoadedRow>(LOCK_AND_READ, [monitorIds]);
  // Statements of their own: they must see what was committed while the lock was awaited.
  const rows = await tx.query<LoadedRow>(LOAD, [monitorIds]);
  const states = await locked;
  const troubles = await loadTroubles(tx, states);
  const byPk = new Map(states.map((state) => [state.pk, state]));
  return rows.flatMap((row) => {
    const state = byPk.get(row.pk);
    return state ? [Object.assign(row, state, troubles.get(row.pk) ?? NO_TROUBLE)] : [];
  });
}

const NO_TROUBLE: Trouble = {
  outageId: null,
  outageStartedAt: null,
  outageStatus: null,
  outageReason: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  note: null,
  isAwaited: false,
};

async function loadTroubles(sql: Sql, states: readonly LoadedRow[]): Promise<Map<number, Trouble>> {
  const inTrouble = states.filter(({ troubleSince, outagePk }) => troubleSince !== null || outagePk !== null);
  if (inTrouble.length === 0) return new Map();
  const rows = await sql.query<Trouble & { pk: number }>(LOAD_TROUBLES, arraysOf(inTrouble, ["pk"]));
  return new Map(rows.map((row) => [row.pk, row]));
}

function withClaim(subject: Subject, row: LoadedRow): StoredSubject {
  const { claim, claimedSlot, deadline: slot, isTakenOver, lastResultAt, reservedPk } = row;
  const own = { claim, claimedSlot, slot, isTakenOver, lastResultAt, reservedPk };
  return { ...subject, ...own, lastDetail: lastDetailOf(row) };
}

function lastDetailOf({ lastDetailPk: pk, lastDetailHash: hash, lastDetailUsedAt: usedAt }: LoadedRow) {
  return pk === null || hash === null || usedAt === null ? null : { pk, hash, usedAt };
}

/** The subquery has an index scan for each monitor: a join may read the whole table. */
const LIST_LATENCIES = `SELECT wanted.pk, wanted.location, hours.count, hours.sum, hours.squares AS "sumOfSquares"
  FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::smallint[])
    AS wanted (pk, since, until, location)
  CROSS JOIN LATERAL (
    SELECT sum(latency_count) AS count, sum(latency_sum) AS sum, sum(latency_squares) AS squares
    FROM hourly_totals
    WHERE monitor_pk = wanted.pk AND start >= wanted.since AND start < wanted.until
      AND location = wanted.location
  ) AS hours
  WHERE hours.count IS NOT NULL`;

type BaselineKey = Pick<WantedBaseline, "pk" | "location">;

const MAX_HOUR = 2 ** 31 - 1;

/** Some baselines at a moment, by `baselineKey`: see `currentBaseline`. */
export async function loadBaselines(
  sql: Sql,
  wanted: readonly WantedBaseline[],
): Promise<Map<string, Baseline>> {
  const stretches = wanted.flatMap(({ pk, location, stored, now }) => {
    const hours = neededHours(stored, now);
    if (!hours) return [];
    return [{ pk, location, since: hours.since / HOUR, until: Math.min(hours.until / HOUR, MAX_HOUR) }];
  });
  const sums = await listLatencies(sql, stretches);
  return new Map(
    wanted.map(({ pk, location, stored, now }) => {
      const key = baselineKey({ pk, location });
      const own = sums.get(key);
      return [key, currentBaseline(stored, now, own ? [own] : [])];
    }),
  );
}

async function listLatencies(
  sql: Sql,
  stretches: (BaselineKey & { since: number; until: number })[],
): Promise<Map<string, LatencySums>> {
  if (stretches.length === 0) return new Map();
  const values = arraysOf(stretches, ["pk", "since", "until", "location"]);
  const rows = await sql.query<LatencySums & BaselineKey>(LIST_LATENCIES, values);
  return new Map(rows.map(({ pk, location, ...sums }) => [baselineKey({ pk, location }), sums]));
}
