import type { ChangedMonitor } from "../../recording/plan-effects.ts";
import type { Sql } from "../../tx.ts";
import { arraysOf } from "../values.ts";

const COUNT = `WITH RECURSIVE dependents (cause, pk) AS (
    SELECT depends_on_pk, monitor_pk FROM monitor_dependencies WHERE depends_on_pk = ANY($1::integer[])
    UNION
    SELECT cause, monitor_pk FROM monitor_dependencies JOIN dependents ON depends_on_pk = dependents.pk
  )
  SELECT cause, count(*) AS count FROM dependents JOIN monitors ON monitors.pk = dependents.pk
  WHERE monitors.enabled GROUP BY cause`;

/** How many enabled monitors depend on some monitors, directly or not, by the number of the monitor. */
export async function countDependents(sql: Sql, monitorPks: number[]): Promise<Map<number, number>> {
  if (monitorPks.length === 0) return new Map();
  const rows = await sql.query<{ cause: number; count: number }>(COUNT, [monitorPks]);
  return new Map(rows.map(({ cause, count }) => [cause, count]));
}

const SCHEDULE_HELD = `UPDATE deliveries SET review_at = least(review_at, scheduled.at)
  FROM (SELECT pk, min(at) AS at FROM unnest($1::integer[], $2::bigint[]) AS changed (pk, at) GROUP BY pk) AS scheduled
  WHERE review_at IS NOT NULL AND monitor_pk = scheduled.pk AND monitor_pk = ANY($1)`;

/** Schedules a review of the notifications held for some monitors (behavior 14.52). */
export async function scheduleReviewOfHeld(sql: Sql, changed: readonly ChangedMonitor[]): Promise<void> {
  if (changed.length > 0) await sql.query(SCHEDULE_HELD, arraysOf(changed, ["monitorPk", "at"]));
}

const SCHEDULE_DEPENDENTS = `WITH RECURSIVE dependents (pk, at) AS (
    SELECT monitor_pk, at FROM unnest($1::integer[], $2::bigint[]) AS recovered (pk, at)
      JOIN monitor_dependencies ON depends_on_pk = recovered.pk
    UNION
    SELECT monitor_pk, at FROM monitor_dependencies JOIN dependents ON depends_on_pk = dependents.pk
  )
  UPDATE deliveries SET review_at = least(review_at, scheduled.at)
  FROM (SELECT pk, min(at) AS at FROM dependents GROUP BY pk) AS scheduled
  WHERE review_at IS NOT NULL AND monitor_pk = scheduled.pk`;

/** Schedules a review of the notifications held for the dependents of some monitors (behavior 14.52). */
export async function scheduleReviewOfDependents(
  sql: Sql,
  recovered: readonly ChangedMonitor[],
): Promise<void> {
  if (recovered.length > 0) await sql.query(SCHEDULE_DEPENDENTS, arraysOf(recovered, ["monitorPk", "at"]));
}
