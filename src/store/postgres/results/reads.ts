import type { EngineReads } from "../../engine-queries.ts";
import { latencyOf, type TimedRow } from "../../results/latency.ts";
import type { ChangedResult, ChangeSelection, Position, ResultRow } from "../../results/result-items.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import { newestResults } from "./newest-results.ts";

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
    async latenciesSince({ monitorPk, statuses }, since) {
      const codes = statuses.map((status) => statusCodes[status]);
      return (await sql.query<TimedRow>(LATENCIES, [monitorPk, codes, since])).map(latencyOf);
    },
  };
}

const LATENCIES = `SELECT timings, created_at AS "createdAt", detail_pk AS "detailPk" FROM check_results
  WHERE monitor_pk = $1 AND status = ANY($2) AND created_at >= $3`;

interface Change {
  pk: number;
  previousStatus: number;
  createdAt: number;
}

const LIST = `SELECT result_pk AS pk, previous_status AS "previousStatus", created_at AS "createdAt" FROM status_changes
  WHERE organization_pk = $1 AND monitor_pk = ANY($2) AND result_pk < $3 ORDER BY result_pk DESC LIMIT $4`;

/** The times are parameters of the statement, which is planned with their values: other days are not opened. */
const READ = `SELECT pk, monitor_pk AS "monitorPk", status, timings, detail_pk AS "detailPk", created_at AS "createdAt"
  FROM check_results
  WHERE pk = ANY($1) AND created_at = ANY($2) AND monitor_pk = ANY($3) AND ($4::smallint IS NULL OR status = $4)
  ORDER BY pk DESC`;

/** How many changes are read at once, as a multiple of the page, if only some statuses are wanted. */
const MORE = 4;

/** The newest results that changed the status of one of some monitors, newest first. */
export async function listChangedResults(
  { query }: Sql,
  { organizationPk, sources, status }: ChangeSelection,
  { before = Number.MAX_SAFE_INTEGER, limit }: Position,
): Promise<ChangedResult[]> {
  const monitorPks = sources.map(({ pk }) => pk);
  const code = status === undefined ? null : statusCodes[status];
  const size = status === undefined ? limit : MORE * limit;
  const found: ChangedResult[] = [];
  for (let end = before; found.length < limit; ) {
    const changes = await query<Change>(LIST, [organizationPk, monitorPks, end, size]);
    const last = changes.at(-1);
    if (!last) break;
    const pks = changes.map(({ pk }) => pk);
    const times = [...new Set(changes.map(({ createdAt }) => createdAt))];
    const rows = await query<ResultRow>(READ, [pks, times, monitorPks, code]);
    const previous = new Map(changes.map(({ pk, previousStatus }) => [pk, previousStatus]));
    found.push(...rows.map((row) => ({ ...row, previousStatus: previous.get(row.pk) ?? 0 })));
    if (changes.length < size) break;
    end = last.pk;
  }
  return found.slice(0, limit);
}
