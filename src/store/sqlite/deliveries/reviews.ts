import type { ReviewEngine } from "../../alerts/review/alert-reviews.ts";
import type { Connections } from "../connections.ts";
import { type Database, prepared } from "../open.ts";

const LATEST = `SELECT monitor_pk AS pk, last_result_at AS at FROM monitor_states
  WHERE monitor_pk IN (SELECT value FROM json_each(?)) AND last_result_at IS NOT NULL`;

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
