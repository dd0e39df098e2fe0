import { dayOf } from "../../../domain/results/rollup.ts";
import {
  type ExportedResult,
  itemsOf,
  type ResultExport,
  type ResultRow,
} from "../../results/result-items.ts";
import { findSource, readDetails } from "../../results/results.ts";
import type { Sql } from "../../tx.ts";
import { listDays } from "./day-partitions.ts";

/** Results in a slice. */
const SIZE = 1000;

const READ = `SELECT pk, monitor_pk AS "monitorPk", status, timings, detail_pk AS "detailPk", created_at AS "createdAt"
  FROM check_results WHERE monitor_pk = $1 AND created_at >= $2 AND created_at < $3 AND pk > $4 ORDER BY pk LIMIT $5`;

const DAY = 24 * 60 * 60 * 1000;

/** By day, and in the order of recording within a day. It is no transaction, because its reader may take its time. */
export async function* exportResults(
  sql: Sql,
  organizationId: string,
  { monitorId, from, to }: ResultExport,
): AsyncGenerator<ExportedResult[]> {
  const monitor = await findSource(sql, organizationId, monitorId);
  yield [];
  const days = (await listDays(sql)).filter((day) => day >= dayOf(from) && day < to).toReversed();
  for (const day of days) {
    const [since, until] = [Math.max(from, day), Math.min(to, day + DAY)];
    let rows: ResultRow[] = [];
    do {
      const after = rows.at(-1)?.pk ?? 0;
      rows = await sql.query<ResultRow>(READ, [monitor.pk, since, until, after, SIZE]);
      const parts = { sources: [monitor], details: await readDetails(sql, rows), outcomes: new Map() };
      yield itemsOf(rows, parts, ({ alertOutcome: _, ...result }) => result);
    } while (rows.length === SIZE);
  }
}
