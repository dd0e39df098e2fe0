import type { Status } from "../../../domain/monitors/status.ts";
import type { EngineReads } from "../../engine-queries.ts";
import { latencyOf, type MeasuredLatency, type TimedRow } from "../../results/latency.ts";
import type {
  ChangedResult,
  ChangeSelection,
  Position,
  ResultRow,
  Selection,
} from "../../results/result-items.ts";
import { latencyAt } from "../../results/segment-rows.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, prepared, rowsOf } from "../open.ts";
import { newestOf, newestOfMany } from "./newest-results.ts";
import { newestSealed, sealedSince, sealedUntil } from "./sealed-results.ts";

/** Numbers are in the order of lists: the number of a result is also its row. */
export function readsOf(db: Database): EngineReads {
  return {
    newestResults: (selections, page) => newestResults(db, selections, page),
    changedResults: async (selection, page) => listChanges(db, selection, page),
    latenciesSince: async (source, since) => latenciesSince(db, source, since),
  };
}

/** Newer results are rows, older ones are in segments. Of each monitor, those in segments have smaller numbers. */
async function newestResults(
  db: Database,
  selections: Selection[],
  { before = Number.MAX_SAFE_INTEGER, limit }: Position,
): Promise<ResultRow[]> {
  const isOne = selections.length === 1 && selections[0]?.monitorPks.length === 1;
  const rows = findResults(db, newestNumbers(db, selections, { before, limit }));
  const floor = rows.length < limit ? 0 : (rows.at(-1)?.pk ?? 0);
  if (rows.length >= limit && (isOne || floor >= sealedUntil(db))) return rows;
  const sealed = await newestSealed(db, selections, { before, limit, floor });
  return [...rows, ...sealed].sort((a, b) => b.pk - a.pk).slice(0, limit);
}

function newestNumbers(
  db: Database,
  selections: Selection[],
  page: { before: number; limit: number },
): number[] {
  const [selection] = selections;
  if (selections.length === 1 && selection?.monitorPks.length === 1) return newestOf(db, selection, page);
  return newestOfMany(db, selections, page);
}

const FIND = `SELECT pk, monitor_pk AS monitorPk, status, timings, detail_pk AS detailPk, created_at AS createdAt
  FROM check_results WHERE pk IN (SELECT value FROM json_each(?)) ORDER BY pk DESC`;

function findResults(db: Database, pks: number[]): ResultRow[] {
  return rowsOf(db, FIND, [pks]);
}

const LIST_CHANGES = `SELECT result_pk AS pk, monitor_pk AS monitorPk, status, timings, detail_pk AS detailPk,
    created_at AS createdAt, previous_status AS previousStatus
  FROM status_changes
  WHERE organization_pk = ?1 AND result_pk < ?2 AND (?3 IS NULL OR status = ?3) AND EXISTS (
    SELECT 1 FROM monitors WHERE pk = monitor_pk AND (?4 IS NULL OR type = ?4)
      AND (?5 IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?5)))
  ORDER BY result_pk DESC LIMIT ?6`;

function listChanges(
  db: Database,
  { organizationPk, type, tag, status }: ChangeSelection,
  { before = Number.MAX_SAFE_INTEGER, limit }: Position,
): ChangedResult[] {
  const code = status === undefined ? null : statusCodes[status];
  return rowsOf(db, LIST_CHANGES, [organizationPk, before, code, type ?? null, tag ?? null, limit]);
}

const LATENCIES = `SELECT timings, created_at AS createdAt, detail_pk AS detailPk FROM check_results
  WHERE monitor_pk = ?1 AND status IN (SELECT value FROM json_each(?2)) AND pk >= ?3 AND created_at >= ?4`;

function latenciesSince(
  db: Database,
  { monitorPk, statuses }: { monitorPk: number; statuses: readonly Status[] },
  since: number,
): MeasuredLatency[] {
  const codes = statuses.map((status) => statusCodes[status]);
  const rows = rowsOf<TimedRow>(db, LATENCIES, [monitorPk, codes, firstResultSince(db, since), since]);
  const sealed = sealedSince(db, monitorPk, since).flatMap((columns) =>
    Array.from(columns.times, (createdAt, at) => ({ createdAt, columns, at })).filter(
      ({ createdAt, at }) => createdAt >= since && codes.includes(columns.statuses[at] ?? 0),
    ),
  );
  return [
    ...sealed.map(({ columns, at, createdAt }) => ({
      latencyMs: latencyAt(columns, at),
      createdAt,
      detailPk: columns.details[at] || null,
    })),
    ...rows.map(latencyOf),
  ];
}

/** Late results come in batches. Among this many in a row, one is not late. */
const MAX_BATCH = 1000;

/**
 * Finds the first result since a moment, approximately. Late results (behavior 13.28) are not in the order of their times.
 *
 * @param since milliseconds since 1970
 * @returns the number of a result; results before it are older, except for a few that were written late
 */
export function firstResultSince(db: Database, since: number): number {
  const hasLocations = prepared(db, "SELECT 1 FROM locations LIMIT 1").get() !== null;
  return searchResults(db, ({ pk, createdAt }) => {
    return createdAt < since && !(hasLocations && prepared(db, IS_LATER).get(pk, since));
  });
}

const IS_LATER = `SELECT 1 FROM (SELECT created_at FROM check_results WHERE pk > ? ORDER BY pk LIMIT ${MAX_BATCH})
  WHERE created_at >= ? LIMIT 1`;

type Place = Pick<ResultRow, "pk" | "createdAt">;

const AT = "SELECT pk, created_at AS createdAt FROM check_results WHERE pk >= ? ORDER BY pk LIMIT 1";
const ENDS = "SELECT (SELECT min(pk) FROM check_results) AS low, (SELECT max(pk) FROM check_results) AS high";

/**
 * A binary search: results are written almost in the order of their times, so it needs no index on time.
 *
 * @returns the number of the first result that is not before; or of another one, if `isBefore` says something else of their order
 */
export function searchResults(db: Database, isBefore: (place: Place) => boolean): number {
  const ends = prepared<{ low: number | null; high: number | null }, []>(db, ENDS).get();
  const at = prepared<Place, [number]>(db, AT);
  let low = ends?.low ?? 0;
  let high = (ends?.high ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = at.get(middle);
    if (found && isBefore(found)) low = found.pk + 1;
    else high = middle;
  }
  return low;
}
