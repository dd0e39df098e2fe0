import type { EngineReads } from "../../engine-queries.ts";
import type {
  ChangedResult,
  ChangeSelection,
  Position,
  ResultRow,
  Selection,
} from "../../results/result-items.ts";
import { statusCodes } from "../../status-codes.ts";
import { type Database, rowsOf } from "../open.ts";
import { newestOf, newestOfMany } from "./newest-results.ts";

/** Numbers are in the order of lists: the number of a result is also its row. */
export function readsOf(db: Database): EngineReads {
  return {
    newestResults: async (selections, page) => findResults(db, newestNumbers(db, selections, page)),
    changedResults: async (selection, page) => listChanges(db, selection, page),
    firstResultSince: async (since) => firstResultSince(db, since),
  };
}

function newestNumbers(
  db: Database,
  selections: Selection[],
  { before = Number.MAX_SAFE_INTEGER, limit }: Position,
): number[] {
  const [selection] = selections;
  if (selections.length === 1 && selection?.monitorPks.length === 1)
    return newestOf(db, selection, { before, limit });
  return newestOfMany(db, selections, { before, limit });
}

const FIND = `SELECT pk, monitor_pk AS monitorPk, status, timings, detail_pk AS detailPk, created_at AS createdAt
  FROM check_results WHERE pk IN (SELECT value FROM json_each(?)) ORDER BY pk DESC`;

function findResults(db: Database, pks: number[]): ResultRow[] {
  return rowsOf(db, FIND, [pks]);
}

const LIST_CHANGES = `SELECT result_pk AS pk, monitor_pk AS monitorPk, status, timings, detail_pk AS detailPk,
    created_at AS createdAt, previous_status AS previousStatus
  FROM status_changes
  WHERE organization_pk = ?1 AND result_pk < ?2 AND monitor_pk IN (SELECT value FROM json_each(?3))
    AND (?4 IS NULL OR status = ?4)
  ORDER BY result_pk DESC LIMIT ?5`;

function listChanges(
  db: Database,
  { organizationPk, sources, status }: ChangeSelection,
  { before = Number.MAX_SAFE_INTEGER, limit }: Position,
): ChangedResult[] {
  const monitorPks = sources.map(({ pk }) => pk);
  const code = status === undefined ? null : statusCodes[status];
  return rowsOf(db, LIST_CHANGES, [organizationPk, before, monitorPks, code, limit]);
}

/** Late results come in batches. Among this many in a row, one is not late. */
const MAX_BATCH = 1000;

/**
 * Finds the first result since a moment, approximately. Results are written almost in the order of their times, so a
 * binary search needs no index on time. Late results (behavior 13.28) are not in that order.
 *
 * @param since milliseconds since 1970
 * @returns the number of a result; results before it are older, except for a few that were written late
 */
export function firstResultSince(db: Database, since: number): number {
  const at = db.$client.query<{ pk: number; createdAt: number }, [number]>(
    "SELECT pk, created_at AS createdAt FROM check_results WHERE pk >= ? ORDER BY pk LIMIT 1",
  );
  const ends = db.$client
    .query<{ low: number | null; high: number | null }, []>(
      "SELECT (SELECT min(pk) FROM check_results) AS low, (SELECT max(pk) FROM check_results) AS high",
    )
    .get();
  const hasLocations = db.$client.query("SELECT 1 FROM locations LIMIT 1").get() !== null;
  const later = db.$client.query<{ found: number }, [number, number]>(
    `SELECT 1 AS found FROM (SELECT created_at FROM check_results WHERE pk > ? ORDER BY pk LIMIT ${MAX_BATCH})
     WHERE created_at >= ? LIMIT 1`,
  );
  const isBefore = ({ pk, createdAt }: { pk: number; createdAt: number }) =>
    createdAt < since && !(hasLocations && later.get(pk, since));
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
