import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import type { EnrichedMonitor } from "../../monitors/monitor-lists.ts";
import type { Sql } from "../connections.ts";
import { placesFor } from "../locations/known-places.ts";
import { findKept, latestOf, MONITOR_COLUMNS, type MonitorRow, monitorOf } from "./monitor-rows.ts";
import { type MonitorVersion, pastReader, VERSION_COLUMNS } from "./past-reader.ts";
import type { RollupCache } from "./rollup-cache.ts";
import { monitorSlices } from "./slices.ts";

const LIST = `SELECT ${MONITOR_COLUMNS}, ${VERSION_COLUMNS}
  FROM monitors JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  WHERE monitors.pk = ANY($1) AND ($2::text IS NULL OR type = $2) AND ($3::text IS NULL OR tags::jsonb ? $3)
  ORDER BY monitors.pk`;

export async function* listMonitors(
  sql: Sql,
  cache: RollupCache,
  organizationId: string,
  { type, tag, range }: { type: MonitorType | undefined; tag?: string | undefined; range: Range },
  now: number,
): AsyncGenerator<EnrichedMonitor[]> {
  const since = rangeStart(range, now);
  const readPasts = pastReader(cache, range, now);
  const isKept = await findKept(sql);
  for await (const pks of monitorSlices(sql, organizationId)) {
    const rows = await sql.query<MonitorRow & MonitorVersion>(LIST, [pks, type ?? null, tag ?? null]);
    const pastOf = await readPasts(sql, rows);
    const places = await placesFor(sql, organizationId, rows);
    yield rows.map((row) => {
      const latest = latestOf(row, isKept);
      const latestResult = latest && latest.createdAt >= since ? latest : null;
      return { ...monitorOf(row, places), latestResult, ...pastOf(row) };
    });
  }
}
