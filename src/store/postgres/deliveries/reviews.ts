import type { ReviewEngine } from "../../alerts/review/alert-reviews.ts";
import type { Connections } from "../connections.ts";

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

export function reviewEngine({ poll, transaction }: Pick<Connections, "poll" | "transaction">): ReviewEngine {
  return {
    poll,
    transact: (work) =>
      transaction((tx) =>
        work(tx, {
          async lockStates(pks) {
            await tx.query(LOCK_STATES, [pks]);
          },
          async lockChannels(pks) {
            await tx.query(LOCK_CHANNELS, [pks]);
          },
          async findLatestResults(pks) {
            const rows = await tx.query<{ pk: number; at: number }>(LATEST, [pks]);
            return new Map(rows.map(({ pk, at }) => [pk, at]));
          },
        }),
      ),
  };
}
