import type { ReviewEngine } from "../../alerts/review/alert-reviews.ts";
import { type Connections, classified } from "../connections.ts";
import { type Database, prepared } from "../open.ts";

/** Deleted monitors have no state any more. */
const LIST_DUE = `SELECT pk FROM (
    SELECT monitor_pk AS pk, min(review_at) AS at FROM deliveries
    WHERE review_at <= ?1 AND EXISTS (SELECT 1 FROM monitor_states WHERE monitor_states.monitor_pk = deliveries.monitor_pk)
    GROUP BY monitor_pk
    UNION ALL
    SELECT monitor_pk, min(remind_at) FROM alert_bindings WHERE remind_at <= ?1 GROUP BY monitor_pk
  )
  GROUP BY pk ORDER BY min(at), pk LIMIT ?2`;

const LATEST = `SELECT monitor_states.monitor_pk AS pk, check_results.created_at AS at
  FROM json_each(?) AS wanted
  CROSS JOIN monitor_states ON monitor_states.monitor_pk = wanted.value
  CROSS JOIN check_results ON check_results.pk = monitor_states.last_result_pk`;

/** One process writes, one transaction at a time: nothing is to be locked. */
export function reviewEngine({
  reader,
  writer,
  writeWithoutSync,
}: Pick<Connections, "reader" | "writer" | "writeWithoutSync">): ReviewEngine {
  const nothing = async () => {};
  return {
    async listDue(now, limit) {
      try {
        const rows = prepared<{ pk: number }, [number, number]>(reader, LIST_DUE).all(now, limit);
        return rows.map(({ pk }) => pk);
      } catch (error) {
        throw classified(error);
      }
    },
    transact: (work) =>
      writeWithoutSync((tx) =>
        work(tx, {
          lockStates: nothing,
          lockChannels: nothing,
          findLatestResults: async (pks) => findLatest(writer, pks),
        }),
      ),
  };
}

function findLatest(db: Database, monitorPks: readonly number[]): Map<number, number> {
  const rows = prepared<{ pk: number; at: number }, [string]>(db, LATEST).all(JSON.stringify(monitorPks));
  return new Map(rows.map(({ pk, at }) => [pk, at]));
}
