/**
 * A number that differs for another set of re-checks, with at most 15 digits; 0 for none. Not the latest of their times,
 * because what is committed later may be of an earlier time. Both engines compute it in SQL too, which looks several times
 * each second.
 */
export function markerOf(rechecks: readonly { monitorPk: number; at: number }[]): number {
  return rechecks.reduce(
    (sum, { monitorPk, at }) => sum + ((at % TIMES) + 1) * ((monitorPk % MONITORS) + 1),
    0,
  );
}

const TIMES = 1_000_003;
const MONITORS = 1009;

/** The same as an expression of SQL, over rows of `location_states`. */
export const RECHECK_MARKER = `coalesce(sum((recheck_at % ${TIMES} + 1) * (monitor_pk % ${MONITORS} + 1)), 0)`;
