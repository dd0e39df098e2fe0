import type { ReviewEngine } from "../../alerts/review/alert-reviews.ts";
import type { Connections } from "../connections.ts";

/** Deleted monitors have no state any more. */
const LIST_DUE = `SELECT pk FROM (
    SELECT monitor_pk AS pk, min(review_at) AS at FROM deliveries
    WHERE review_at <= $1 AND EXISTS (SELECT 1 FROM monitor_states WHERE monitor_states.monitor_pk = deliveries.monitor_pk)
    GROUP BY monitor_pk
    UNION ALL
    SELECT monitor_pk, min(remind_at) FROM alert_bindings WHERE remind_at <= $1 GROUP BY monitor_pk
  ) AS due
  GROUP BY pk ORDER BY min(at), pk LIMIT $2`;

/**
 * The update changes nothing. But it ends a serializable transaction, such as an acknowledgement, whose snapshot is older than
 * this review: that one could not see what the review decides. A lock alone would not end it.
 */
const LOCK_STATES = `UPDATE monitor_states SET claim = monitor_states.claim
  FROM (
    SELECT monitor_pk FROM monitor_states WHERE monitor_pk = ANY($1::integer[]) ORDER BY monitor_pk FOR UPDATE
  ) AS locked
  WHERE monitor_states.monitor_pk = locked.monitor_pk`;

/** The update changes nothing: see `LOCK_CHANNELS` in `save-deliveries.ts`. */
const LOCK_CHANNELS = `UPDATE alert_channels SET claim = alert_channels.claim
  FROM (SELECT pk FROM alert_channels WHERE pk = ANY($1::integer[]) ORDER BY pk FOR NO KEY UPDATE) AS locked
  WHERE alert_channels.pk = locked.pk`;

const LATEST = `SELECT monitor_pk AS pk, last_result_at AS at FROM monitor_states
  WHERE monitor_pk = ANY($1::integer[]) AND last_result_at IS NOT NULL`;

export function reviewEngine({ look, mixed }: Pick<Connections, "look" | "mixed">): ReviewEngine {
  return {
    async listDue(now, limit) {
      return (await look<{ pk: number }>(LIST_DUE, [now, limit])).map(({ pk }) => pk);
    },
    transact: (work) =>
      mixed(({ query }, tx) =>
        work(tx, {
          async lockStates(pks) {
            await query(LOCK_STATES, [pks]);
          },
          async lockChannels(pks) {
            await query(LOCK_CHANNELS, [pks]);
          },
          async findLatestResults(pks) {
            const rows = await query<{ pk: number; at: number }>(LATEST, [pks]);
            return new Map(rows.map(({ pk, at }) => [pk, at]));
          },
        }),
      ),
  };
}
