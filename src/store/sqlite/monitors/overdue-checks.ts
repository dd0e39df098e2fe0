import { isOverdueByInterval, SHORTEST_INTERVAL } from "../../../domain/checks/check-slot.ts";
import { type Database, prepared } from "../database.ts";
import { turn } from "../slices.ts";

/** After a long stop, the slots of all monitors have passed. */
const SLICE = 1000;

const LIST_PASSED = `SELECT monitor_pk AS pk, next_check_at AS nextCheckAt, config ->> '$.interval' AS interval
  FROM monitor_states CROSS JOIN monitors ON monitors.pk = monitor_pk
  WHERE (next_check_at, monitor_pk) > (?, ?) AND next_check_at < ? ORDER BY next_check_at, monitor_pk LIMIT ?`;

interface Row {
  pk: number;
  nextCheckAt: number;
  interval: number;
}

export async function countOverdue(db: Database, now: number): Promise<number> {
  const list = prepared<Row, [number, number, number, number]>(db, LIST_PASSED);
  let count = 0;
  let last: Pick<Row, "pk" | "nextCheckAt"> | undefined = { pk: 0, nextCheckAt: 0 };
  while (last) {
    await turn(db);
    const rows: Row[] = list.all(last.nextCheckAt, last.pk, now - SHORTEST_INTERVAL, SLICE);
    count += rows.filter((row) => isOverdueByInterval(row, now)).length;
    last = rows.length < SLICE ? undefined : rows.at(-1);
  }
  return count;
}
