import type { Monitor } from "../../../domain/monitors/monitor.ts";
import { dayOf } from "../../../domain/results/rollup.ts";
import { type KnownPlaces, withPlacement } from "../../locations/known-places.ts";
import type { StoredPlacement } from "../../locations/monitor-locations.ts";
import type { LatestResult } from "../../monitors/monitor-lists.ts";
import { unpackTimings } from "../../results/timings.ts";
import { statusOfCode } from "../../status-codes.ts";
import type { Sql } from "../connections.ts";
import { listDays } from "../results/day-partitions.ts";

/** The columns of a monitor and its latest result, of `monitors` joined with `monitor_states`. */
export const MONITOR_COLUMNS = `monitors.pk, monitors.id, name, type, config, status, enabled, confirmations, recoveries, tags,
  ARRAY(SELECT causes.id FROM monitor_dependencies JOIN monitors AS causes ON causes.pk = depends_on_pk
    WHERE monitor_dependencies.monitor_pk = monitors.pk ORDER BY causes.pk) AS "dependsOn",
  locations, down_when AS "downWhen", ref, blind_since AS "blindSince",
  created_at AS "createdAt", updated_at AS "updatedAt",
  last_status AS "lastStatus", last_timings AS "lastTimings", last_result_at AS "lastResultAt"`;

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
  const days = await listDays(sql);
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
