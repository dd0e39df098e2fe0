import type { ReviewEngine } from "../../alerts/review/alert-reviews.ts";
import type { Connections } from "../connections.ts";
import { type Database, prepared } from "../open.ts";

const LATEST = `SELECT monitor_states.monitor_pk AS pk, check_results.created_at AS at
  FROM json_each(?) AS wanted
  CROSS JOIN monitor_states ON monitor_states.monitor_pk = wanted.value
  CROSS JOIN check_results ON check_results.pk = monitor_states.last_result_pk`;

/** One process writes, one transaction at a time: nothing is to be locked. */
export function reviewEngine({
  poll,
  writer,
  writeWithoutSync,
}: Pick<Connections, "poll" | "writer" | "writeWithoutSync">): ReviewEngine {
  const nothing = async () => {};
  return {
    poll,
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
