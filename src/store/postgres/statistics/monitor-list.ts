import type { Monitor, MonitorType } from "../../../domain/monitors/monitor.ts";
import { type Range, rangeStart } from "../../../domain/results/range.ts";
import { dayOf } from "../../../domain/results/rollup.ts";
import { organizationPk } from "../../accounts/organizations.ts";
import { type KnownPlaces, placesFor, withPlacement } from "../../locations/known-places.ts";
import type { StoredPlacement } from "../../locations/monitor-locations.ts";
import type { EnrichedMonitor, LatestResult } from "../../monitors/monitor-lists.ts";
import { unpackTimings } from "../../results/timings.ts";
import { statusOfCode } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import { listDays } from "../results/day-partitions.ts";
import { type MonitorVersion, pastReader, VERSION_COLUMNS } from "./past-reader.ts";
import type { RollupCache } from "./rollup-cache.ts";

/** The columns of a monitor and its latest result, of `monitors` joined with `monitor_states`. */
export const MONITOR_COLUMNS = `monitors.pk, monitors.id, name, type, config, status, enabled, confirmations, recoveries, tags,
  ARRAY(SELECT causes.id FROM monitor_dependencies JOIN monitors AS causes ON causes.pk = depends_on_pk
    WHERE monitor_dependencies.monitor_pk = monitors.pk ORDER BY causes.pk) AS "dependsOn",
  locations, down_when AS "downWhen", ref, blind_since AS "blindSince",
  created_at AS "createdAt", updated_at AS "updatedAt",
  last_status AS "lastStatus", last_timings AS "lastTimings", last_result_at AS "lastResultAt"`;

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

export type MonitorRow = Omit<Monitor, "status" | keyof StoredPlacement> &
  StoredPlacement & {
    pk: number;
    status: number;
    lastStatus: number | null;
    lastTimings: Uint8Array | null;
    lastResultAt: number | null;
  };

export function monitorOf(row: MonitorRow, places: KnownPlaces | undefined): Monitor {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    config: row.config,
    status: statusOfCode(row.status),
    enabled: row.enabled,
    tags: row.tags,
    dependsOn: row.dependsOn,
    confirmations: row.confirmations,
    recoveries: row.recoveries,
    ...withPlacement({ locations: row.locations, downWhen: row.downWhen }, places),
    ref: row.ref,
    blindSince: row.blindSince,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Whether the results of a moment are not deleted. */
export type IsKept = (time: number) => boolean;

export async function findKept(sql: Sql): Promise<IsKept> {
  const { days } = await listDays(sql);
  const kept = new Set(days);
  const [latest = Number.POSITIVE_INFINITY] = days;
  // A later day may have begun since.
  return (time) => kept.has(dayOf(time)) || dayOf(time) > latest;
}

/** The latest result; null if there is none, or if it is deleted. */
export function latestOf(
  { lastStatus, lastTimings, lastResultAt }: MonitorRow,
  isKept: IsKept,
): LatestResult | null {
  if (lastStatus === null || lastResultAt === null || !isKept(lastResultAt)) return null;
  const { latencyMs } = unpackTimings(lastTimings);
  return { status: statusOfCode(lastStatus), latencyMs, createdAt: lastResultAt };
}

/** Monitors in the first slice, so that a list begins soon. */
const FIRST = 50;

/** Monitors in a later slice. Larger slices finish sooner, but block other requests longer. */
const MOST = 200;

/**
 * The internal numbers of the monitors that an organization has at the start, oldest first, in slices. Monitors may be
 * deleted before their slice is yielded.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function* monitorSlices(sql: Sql, organizationId: string): AsyncGenerator<number[]> {
  const organization = await organizationPk(sql, organizationId);
  const [row] = await sql.query<{ pks: number[] }>(
    "SELECT coalesce(json_agg(pk ORDER BY pk), '[]') AS pks FROM monitors WHERE organization_pk = $1",
    [organization],
  );
  yield* inSlices(row?.pks ?? []);
}

export function* inSlices<Item>(items: Item[]): Generator<Item[]> {
  for (let at = 0, size = FIRST; at < items.length; at += size, size = MOST) yield items.slice(at, at + size);
}
