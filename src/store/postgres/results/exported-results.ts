import { dayOf } from "../../../domain/results/rollup.ts";
import {
  type ExportedResult,
  itemsOf,
  type ResultExport,
  type ResultRow,
} from "../../results/result-items.ts";
import { findSource, readDetails, wantedOf } from "../../results/results.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import { listDays } from "./day-partitions.ts";
import { nextPacked } from "./packed-results.ts";
import type { Selection } from "./result-queries.ts";

/** Results in a slice. */
const SIZE = 1000;

const READ = `SELECT pk, monitor_pk AS "monitorPk", status, timings, detail_pk AS "detailPk", created_at AS "createdAt"
  FROM check_results WHERE monitor_pk = $1 AND created_at >= $2 AND created_at < $3 AND pk > $4 AND status = ANY($5) ORDER BY pk LIMIT $6`;

const DAY = 24 * 60 * 60 * 1000;

/** By day, and in the order of recording within a day. It is no transaction, because its reader may take its time. */
export async function* exportResults(
  sql: Sql,
  organizationId: string,
  { monitorId, from = 0, to = Number.MAX_SAFE_INTEGER, problems }: ResultExport,
): AsyncGenerator<ExportedResult[]> {
  const monitor = await findSource(sql, organizationId, monitorId);
  yield [];
  const codes = wantedOf(monitor.type, { problems }).map((status) => statusCodes[status]);
  const selection = { monitorPks: [monitor.pk], statuses: codes };
  const { days } = await listDays(sql);
  for (const day of days.filter((one) => one >= dayOf(from) && one < to).toReversed()) {
    for (let after = 0; ; ) {
      const rows = await readSlice(sql, selection, { day, after });
      const wanted = rows.filter(
        ({ createdAt, status }) => createdAt >= from && createdAt < to && codes.includes(status),
      );
      const parts = { sources: [monitor], details: await readDetails(sql, wanted), outcomes: new Map() };
      yield itemsOf(wanted, parts, ({ alertOutcome: _, ...result }) => result);
      const last = rows.at(-1);
      if (!last) break;
      after = last.pk;
    }
  }
}

/** Results that are packed have smaller numbers than rows that are not. Rows may become packed from one slice to the next. */
async function readSlice(
  sql: Sql,
  selection: Selection,
  { day, after }: { day: number; after: number },
): Promise<ResultRow[]> {
  const packed = await nextPacked(sql, selection, { day, after });
  if (packed.length > 0) return packed;
  return sql.query<ResultRow>(READ, [
    ...selection.monitorPks,
    day,
    day + DAY,
    after,
    selection.statuses,
    SIZE,
  ]);
}
