import type { ChangedMonitor } from "../../recording/plan-effects.ts";
import { type Database, prepared } from "../open.ts";

/** The monitors that depend on others, directly or not. */
const DEPENDENTS = `WITH RECURSIVE dependents (pk) AS (
    SELECT monitor_pk FROM monitor_dependencies WHERE depends_on_pk = ?1
    UNION
    SELECT monitor_pk FROM monitor_dependencies JOIN dependents ON depends_on_pk = dependents.pk
  )`;

const COUNT = `${DEPENDENTS}
  SELECT count(*) AS count FROM dependents JOIN monitors ON monitors.pk = dependents.pk WHERE monitors.enabled`;

/** How many enabled monitors depend on a monitor, directly or not. */
export function countDependents(db: Database, monitorPk: number): number {
  return prepared<{ count: number }, [number]>(db, COUNT).get(monitorPk)?.count ?? 0;
}

const SCHEDULE_HELD = `UPDATE deliveries SET review_at = min(review_at, ?2)
  WHERE review_at IS NOT NULL AND monitor_pk = ?1`;

/** Schedules a review of the notifications held for a monitor (behavior 14.52). */
export function scheduleReviewOfHeld(db: Database, { monitorPk, at }: ChangedMonitor): void {
  prepared(db, SCHEDULE_HELD).run(monitorPk, at);
}

const SCHEDULE_DEPENDENTS = `${DEPENDENTS}
  UPDATE deliveries SET review_at = min(review_at, ?2)
  WHERE review_at IS NOT NULL AND monitor_pk IN (SELECT pk FROM dependents)`;

/** Schedules a review of the notifications held for the dependents of a monitor (behavior 14.52). */
export function scheduleReviewOfDependents(db: Database, { monitorPk, at }: ChangedMonitor): void {
  prepared(db, SCHEDULE_DEPENDENTS).run(monitorPk, at);
}
