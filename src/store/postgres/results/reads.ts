import type { EngineReads } from "../../engine-queries.ts";
import {
  type ChangedResult,
  type ChangeSelection,
  type Position,
  RESULT_COLUMNS,
  type ResultRow,
} from "../../results/result-items.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import { newestResults } from "./newest-results.ts";
import { findPacked, packedBetween } from "./packed-results.ts";

/** Each day of results is a partition. */
export function readsOf(sql: Sql): EngineReads {
  return {
    newestResults(selections, page) {
      const monitorPks = selections.flatMap((selection) => selection.monitorPks);
      const statuses = new Set(selections.flatMap((selection) => selection.statuses));
      const codes = [...statuses].map((status) => statusCodes[status]);
      return newestResults(sql, { monitorPks, statuses: codes }, page);
    },
    changedResults: (selection, page) => listChangedResults(sql, selection, page),
    async resultsBetween({ monitorPk, statuses }, stretch) {
      const codes = statuses.map((status) => statusCodes[status]);
      const rows = await sql.query<ResultRow>(BETWEEN, [monitorPk, codes, stretch.since, stretch.until]);
      const packed = await packedBetween(sql, { monitorPks: [monitorPk], statuses: codes }, stretch);
      // Results that are packed may still be rows.
      return [...new Map([...packed, ...rows].map((row) => [row.pk, row])).values()];
    },
  };
}

/** The times are parameters of the statement, which is planned with their values: other days are not opened. */
const BETWEEN = `SELECT ${RESULT_COLUMNS}
  FROM check_results WHERE monitor_pk = $1 AND status = ANY($2) AND created_at >= $3 AND created_at < $4`;

interface Change {
  pk: number;
  monitorPk: number;
  previousStatus: number;
  createdAt: number;
}

const LIST = `SELECT result_pk AS pk, monitor_pk AS "monitorPk", previous_status AS "previousStatus", created_at AS "createdAt" FROM status_changes
  WHERE organization_pk = $1 AND result_pk < $2 AND created_at >= $6 AND created_at < $7 AND EXISTS (
    SELECT 1 FROM monitors WHERE pk = monitor_pk AND ($3::text IS NULL OR type = $3) AND ($4::text IS NULL OR tags::jsonb ? $4))
  ORDER BY result_pk DESC LIMIT $5`;

/** The times are parameters of the statement, which is planned with their values: other days are not opened. */
const READ = `SELECT ${RESULT_COLUMNS}
  FROM check_results
  WHERE pk = ANY($1) AND created_at = ANY($2) AND monitor_pk = ANY($3)`;

/** How many changes are read at once, as a multiple of the page, if only some statuses are wanted. */
const MORE = 4;

/** The newest results that changed the status of one of some monitors, newest first. */
export async function listChangedResults(
  sql: Sql,
  { organizationPk, type, tag, statuses }: ChangeSelection,
  { before = Number.MAX_SAFE_INTEGER, limit, from = 0, to = Number.MAX_SAFE_INTEGER }: Position,
): Promise<ChangedResult[]> {
  const codes = statuses?.map((status) => statusCodes[status]);
  const size = statuses === undefined ? limit : MORE * limit;
  const found: ChangedResult[] = [];
  for (let end = before; found.length < limit; ) {
    const wanted = [organizationPk, end, type ?? null, tag ?? null, size, from, to];
    const changes = await sql.query<Change>(LIST, wanted);
    const last = changes.at(-1);
    if (!last) break;
    const results = await findResults(sql, changes);
    for (const { pk, previousStatus } of changes) {
      const row = results.get(pk);
      if (row && (!codes || codes.includes(row.status))) found.push({ ...row, previousStatus });
    }
    if (changes.length < size) break;
    end = last.pk;
  }
  return found.slice(0, limit);
}

/** The results by their numbers. Rows are read first, because they become segments and not the other way around. */
async function findResults(sql: Sql, changes: readonly Change[]): Promise<Map<number, ResultRow>> {
  const pks = changes.map(({ pk }) => pk);
  const monitorPks = [...new Set(changes.map(({ monitorPk }) => monitorPk))];
  const times = [...new Set(changes.map(({ createdAt }) => createdAt))];
  const rows = await sql.query<ResultRow>(READ, [pks, times, monitorPks]);
  const found = new Map(rows.map((row) => [row.pk, row]));
  const others = changes.filter(({ pk }) => !found.has(pk));
  for (const row of await findPacked(sql, others)) found.set(row.pk, row);
  return found;
}
