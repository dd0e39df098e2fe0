import { EvidenceBudget, LastAnswers } from "../../../domain/evidence/evidence-limits.ts";
import { HERE } from "../../../domain/locations/location.ts";
import type { MonitorState, PlannedResult, Recording } from "../../../domain/monitors/recording-plan.ts";
import { StorageFault } from "../../../errors.ts";
import type { RecordingQueries } from "../../engine-queries.ts";
import { completeEvidence } from "../../recording/complete-evidence.ts";
import { record, recordObservations } from "../../recording/record.ts";
import type { RecordingEngine, SavedResult } from "../../recording/recording-engine.ts";
import { changedPlaces } from "../../recording/stored-places.ts";
import { changedHere, findSubject, type StoredSubjects } from "../../recording/stored-subject.ts";
import { packMeasured } from "../../results/timings.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Sql, Tx } from "../../tx.ts";
import type { Connections, PostgresTx } from "../connections.ts";
import type { OpenClaims } from "../monitors/check-claims.ts";
import { MissingPartition, withPartitions } from "../partitions.ts";
import { internDetails } from "../results/details.ts";
import { addToRollups } from "../results/rollups.ts";
import { arraysOf } from "../values.ts";
import { loadBaselines, loadSubjects, lockStates, type StoredSubject } from "./load-subjects.ts";
import { saveStates } from "./save-states.ts";

const SAVE = `INSERT INTO location_states
    (monitor_pk, location, memory, baseline_count, baseline_sum, baseline_squares, baseline_start)
  SELECT monitor_pk, $7, memory, count, sum, squares, start
  FROM unnest($1::integer[], $2::json[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[])
    AS new (monitor_pk, memory, count, sum, squares, start)
  ON CONFLICT (monitor_pk, location) DO UPDATE SET memory = excluded.memory,
    baseline_count = excluded.baseline_count, baseline_sum = excluded.baseline_sum,
    baseline_squares = excluded.baseline_squares, baseline_start = excluded.baseline_start`;

/** Saves the memories and baselines that changed, here and at the locations of monitors that are not checked only from this server. */
function saveLocations(
  { queue }: PostgresTx,
  subjects: StoredSubjects,
  states: ReadonlyMap<string, MonitorState>,
): void {
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
  if (places.length > 0) void queue(SAVE_PLACES, arraysOf(places, PLACE_COLUMNS));
  if (rows.length === 0) return;
  const columns = arraysOf(rows, ["monitorPk", "memory", "count", "sum", "sumOfSquares", "start"]);
  void queue(SAVE, [...columns, HERE]);
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

/** In the order of their numbers: the index on numbers has only ranges of blocks. */
const COPY = "COPY check_results (pk, created_at, monitor_pk, detail_pk, status, timings) FROM STDIN";

/** @returns the rows in the order of the results @throws MissingPartition */
async function saveResults(
  tx: PostgresTx,
  subjects: StoredSubjects<StoredSubject>,
  results: readonly PlannedResult[],
): Promise<SavedResult[]> {
  if (results.length === 0) return [];
  const measured = results.map((result) => {
    const { pk: monitorPk, organizationPk, lastDetail: last } = findSubject(subjects, result.monitorId);
    const { timings, rest } = packMeasured(result);
    const { status, createdAt } = result;
    const row = { organizationPk, monitorPk, status: statusCodes[status], timings, createdAt };
    return { ...row, detail: rest, last };
  });
  const detailPks = await internDetails(tx, measured);
  const rows = measured.map(({ detail: _, last: __, ...row }, at) => ({
    ...row,
    detailPk: detailPks[at] ?? null,
  }));
  const pks = await takeNumbers(tx, subjects, results);
  const saved = rows.map((row, at) => ({ ...row, pk: pks[at] ?? 0 }));
  insert(tx, saved);
  return saved;
}

/** The table is locked since the monitors were loaded. */
const MORE_NUMBERS = "SELECT nextval('check_results_pk') AS pk FROM generate_series(1, $1)";

/** The numbers that were reserved when the monitors were loaded, and more if a monitor has several results. @returns in their order */
async function takeNumbers(
  sql: Sql,
  subjects: StoredSubjects<StoredSubject>,
  results: readonly PlannedResult[],
): Promise<number[]> {
  const pks: number[] = [];
  for (const { monitorId } of results) {
    const subject = findSubject(subjects, monitorId);
    if (subject.reservedPk !== null) pks.push(subject.reservedPk);
    subject.reservedPk = null;
  }
  if (pks.length < results.length) {
    const more = await sql.query<{ pk: number }>(MORE_NUMBERS, [results.length - pks.length]);
    pks.push(...more.map(({ pk }) => pk));
  }
  return pks.sort((one, other) => one - other);
}

function insert(tx: PostgresTx, rows: readonly SavedResult[]): void {
  const values = rows.map(({ pk, createdAt, monitorPk, detailPk, status, timings }) => [
    ...[pk, createdAt, monitorPk, detailPk, status, timings],
  ]);
  tx.queueCopy(COPY, values, (error) =>
    hasNoPartition(error) ? new MissingPartition(rows.map(({ createdAt }) => createdAt)) : error,
  );
}

/** Only the partitions of the table have constraints. */
function hasNoPartition(error: unknown): boolean {
  const CHECK_VIOLATION = "23514";
  return (error as { code?: unknown }).code === CHECK_VIOLATION;
}

/** For changes without an event of a node. */
export function createRecordingEngine(): RecordingEngine<StoredSubject> {
  return {
    evidence: { budget: new EvidenceBudget(), answers: new LastAnswers() },
    monitorsAtOnce: 500,
    lockStates,
    loadSubjects,
    loadBaselines,
    saveResults,
    addToRollups,
    async saveStates(tx: PostgresTx, saved, states) {
      await saveStates(tx, saved, states);
      saveLocations(tx, saved.subjects, states);
    },
  };
}

/**
 * The recordings of one process, in two queues: for checks, and for jobs. Within a queue they run one after the other: at
 * the same time, they would only wait for each other's locks. A check-in does not wait for a check, whose monitor may be locked.
 */
export function createRecording(
  connections: Connections,
  openClaims: OpenClaims,
  recordingEngine: RecordingEngine<StoredSubject>,
): RecordingQueries {
  const [checks, jobs] = [createQueue(), createQueue()];
  const transact = <Result>(inTurn: Queue, work: (tx: Tx) => Promise<Result>, times?: number[]) =>
    inTurn(() => withPartitions(connections, () => connections.transaction(work), times));
  const engine: typeof recordingEngine = {
    ...recordingEngine,
    withValidClaim: (tx, events, subjects) => withValidClaim(tx, events, { subjects, openClaims }),
  };
  return {
    async record(events) {
      const isOfJobs = events.every(({ kind }) => kind !== "check");
      const inTurn = isOfJobs ? jobs : checks;
      const times = events.map(({ at }) => at);
      const recorded = await transact(inTurn, (tx) => record(tx, engine, events), times);
      openClaims.end(events);
      return recorded;
    },
    completeEvidence: (looked) =>
      connections.transaction((tx) => completeEvidence(tx, engine.evidence, looked)),
    recordObservations: (batch) => transact(checks, (tx) => recordObservations(tx, engine, batch)),
    // A commit is on the disk.
    async syncResults() {},
  };
}

/** After waiting for longer than this, the cause is not other work, but a database that does not answer; milliseconds. */
const LONG_WAIT = 1000;

/** Runs pieces of work one after the other. */
type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** If the database does not answer one piece of work, the work that has waited for it fails too, so that no caller waits much longer. */
function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let failure = { at: Number.NEGATIVE_INFINITY, error: undefined as unknown };
  return (work) => {
    const queuedAt = performance.now();
    const run = async () => {
      const now = performance.now();
      if (failure.at > queuedAt && now - queuedAt > LONG_WAIT) throw failure.error;
      try {
        return await work();
      } catch (error) {
        if (error instanceof StorageFault) failure = { at: performance.now(), error };
        throw error;
      }
    };
    const result = last.then(run, run);
    last = result;
    return result;
  };
}

/** The claim of a check whose outcome is to be recorded. @property slot undefined if it is not known here */
interface CheckClaim {
  claim: number;
  monitorPk: number;
  slot: number | undefined;
}

const FIND_SLOTS = `SELECT wanted.claim, wanted.pk AS "monitorPk", entry.slot
  FROM unnest($1::bigint[], $2::integer[]) AS wanted (claim, pk)
  JOIN check_claims ON check_claims.pk = wanted.claim
  CROSS JOIN LATERAL unnest(monitor_pks, slots) AS entry (pk, slot)
  WHERE entry.pk = wanted.pk`;

/* Only the claims of other nodes matter: the outcome of an earlier claim of this node is never recorded after a later claim. */
const FIND_TAKEOVERS = `SELECT entry.pk AS "monitorPk", entry.slot, check_claims.pk AS claim
  FROM check_claims CROSS JOIN LATERAL unnest(monitor_pks, slots) AS entry (pk, slot)
  WHERE is_takeover AND entry.pk = ANY($1::integer[])`;

/**
 * The events whose claim still decides on its slot, and events without a claim. A claim that has lapsed holds until another node
 * claims the slot. To be called after the states of the monitors were locked.
 */
async function withValidClaim(
  sql: Sql,
  events: readonly Recording[],
  { subjects, openClaims }: { subjects: ReadonlyMap<string, StoredSubject>; openClaims: OpenClaims },
): Promise<Recording[]> {
  const claims = new Map<Recording, CheckClaim>();
  for (const event of events) {
    const { kind, claim, monitorId } = event;
    const subject = subjects.get(monitorId);
    if (kind === "check" && claim !== undefined && subject)
      claims.set(event, { claim, monitorPk: subject.pk, slot: openClaims.slotOf(claim, monitorId) });
  }
  await findSlots(sql, [...claims.values()]);
  const takenOver = [...subjects.values()].filter(({ isTakenOver }) => isTakenOver);
  const takeovers = await findTakeovers(sql, takenOver);
  return events.filter((event) => {
    const subject = subjects.get(event.monitorId);
    if (event.claim === undefined) return true;
    if (!subject) return false;
    const check = claims.get(event);
    return check ? holds(check, subject, takeovers) : holdsJob(event.claim, subject);
  });
}

async function findSlots({ query }: Sql, claims: readonly CheckClaim[]): Promise<void> {
  const unknown = claims.filter(({ slot }) => slot === undefined);
  if (unknown.length === 0) return;
  const rows = await query<CheckClaim>(FIND_SLOTS, arraysOf(unknown, ["claim", "monitorPk"]));
  const slots = new Map(rows.map(({ claim, monitorPk, slot }) => [`${claim} ${monitorPk}`, slot]));
  for (const one of unknown) one.slot = slots.get(`${one.claim} ${one.monitorPk}`);
}

async function findTakeovers(sql: Sql, subjects: readonly StoredSubject[]): Promise<CheckClaim[]> {
  return subjects.length > 0 ? sql.query<CheckClaim>(FIND_TAKEOVERS, arraysOf(subjects, ["pk"])) : [];
}

function holds(
  { claim, monitorPk, slot }: CheckClaim,
  { state }: StoredSubject,
  takeovers: readonly CheckClaim[],
): boolean {
  const isLater = (other: CheckClaim) =>
    other.monitorPk === monitorPk && other.slot === slot && other.claim > claim;
  return slot === state.nextCheckAt && !takeovers.some(isLater);
}

function holdsJob(claim: number, { claim: latest, claimedSlot, slot }: StoredSubject): boolean {
  return claim === latest && claimedSlot === slot;
}
