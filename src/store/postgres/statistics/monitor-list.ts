import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import type { EnrichedMonitor } from "../../monitors/monitor-lists.ts";
import type { Sql } from "../connections.ts";
import { findKept, latestOf, MONITOR_COLUMNS, type MonitorRow, monitorOf } from "./monitor-rows.ts";
import { LATEST_COUNTS, type MonitorWithCounts, pastReader } from "./past-reader.ts";
import type { RollupCache } from "./rollup-cache.ts";
import { monitorSlices } from "./slices.ts";

const LIST = `SELECT ${MONITOR_COLUMNS}, ${LATEST_COUNTS}
  FROM monitors JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  WHERE monitors.pk = ANY($1) AND ($4::text IS NULL OR type = $4) ORDER BY monitors.pk`;

/** Each slice is read by one statement, so that what it contains fits together. */
export async function* listMonitors(
  sql: Sql,
  cache: RollupCache,
  organizationId: string,
  { type, range }: { type: MonitorType | undefined; range: Range },
  now: number,
): AsyncGenerator<EnrichedMonitor[]> {
  const since = rangeStart(range, now);
  const past = pastReader(cache, range, now);
  const isKept = await findKept(sql);
  for await (const pks of monitorSlices(sql, organizationId)) {
    const values = [pks, ...past.parameters, type ?? null];
    const rows = await sql.query<MonitorRow & MonitorWithCounts>(LIST, values);
    const pastOf = await past.read(sql, rows);
    yield rows.map((row) => {
      const latest = latestOf(row, isKept);
      const latestResult = latest && latest.createdAt >= since ? latest : null;
      return { ...monitorOf(row), latestResult, ...pastOf(row) };
    });
  }
}
