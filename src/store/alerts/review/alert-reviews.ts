import { StorageFault } from "../../../errors.ts";
import type { AlertReviewQueries } from "../../engine-queries.ts";
import type { Sql, Tx } from "../../tx.ts";
import { reviewMonitors } from "./review-monitors.ts";
import { recallReviews } from "./schedule-reviews.ts";

/** The parts of a review that differ between the engines. */
export interface ReviewLocks {
  /**
   * Locks the states of monitors as recordings do, in the order of their numbers. It also keeps their deliveries, outages and
   * suspicions from being changed.
   */
  lockStates(monitorPks: readonly number[]): Promise<void>;
}

/** The part of a storage engine that the review of alerts needs. */
export interface ReviewEngine {
  poll: Sql["query"];
  /** Runs work in one transaction. */
  transact<Result>(work: (tx: Tx, locks: ReviewLocks) => Promise<Result>): Promise<Result>;
}

/** The monitors with a delivery or a reminder that is due for a decision, the longest due first. Deleted ones have no state. */
const LIST_DUE = `SELECT pk FROM (
    SELECT monitor_pk AS pk, min(review_at) AS at FROM deliveries
    WHERE review_at <= $1 AND EXISTS (SELECT 1 FROM monitor_states WHERE monitor_states.monitor_pk = deliveries.monitor_pk)
    GROUP BY monitor_pk
    UNION ALL
    SELECT monitor_pk, min(remind_at) FROM alert_bindings WHERE remind_at <= $1 GROUP BY monitor_pk
  ) AS due
  GROUP BY pk ORDER BY min(at), pk LIMIT $2`;

export function alertReviews({ poll, transact }: ReviewEngine): AlertReviewQueries {
  return {
    async review(now, limit) {
      const due = (await poll<{ pk: number }>(LIST_DUE, [now, limit])).map(({ pk }) => pk);
      if (due.length === 0) return { releases: false, asksHere: false, isMore: false };
      const reviewed = await reviewAll(due, now);
      return { ...reviewed, isMore: due.length === limit };
    },
    recall: (now) => transact((tx) => recallReviews(tx, now)),
  };

  function reviewTogether(monitorPks: readonly number[], now: number) {
    return transact((tx, locks) => reviewMonitors(tx, locks, { monitorPks, now }));
  }

  /** A monitor about which nothing can be decided must not keep the others waiting. */
  async function reviewAll(monitorPks: readonly number[], now: number) {
    try {
      return await reviewTogether(monitorPks, now);
    } catch (error) {
      if (error instanceof StorageFault || monitorPks.length === 1) throw error;
      const faults: unknown[] = [];
      for (const pk of monitorPks) await reviewTogether([pk], now).catch((fault) => faults.push(fault));
      throw faults[0] ?? error;
    }
  }
}
