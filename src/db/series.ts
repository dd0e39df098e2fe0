import type { Status } from "../domain/status.ts";
import { statusCode } from "./columns.ts";
import type { Database } from "./open.ts";

/** The results of one monitor with one status: they lie in order in the index. */
export interface Series {
  monitorPk: number;
  status: Status;
}

/**
 * The numbers of the newest results over many series, newest first. Each step reads one entry of the index, so that
 * the cost depends on the number of series and of results asked for, and not on how many there are.
 *
 * @param before only results with a smaller number
 */
export function newestOf(
  db: Database,
  series: Series[],
  { before, limit }: { before: number; limit: number },
): number[] {
  const statement = db.$client.query<{ pk: number | null }, [number, number, number]>(
    "SELECT max(pk) AS pk FROM check_results WHERE monitor_pk = ? AND status = ? AND pk < ?",
  );
  const newest = ({ monitorPk, status }: Series, than: number) =>
    statement.get(monitorPk, statusCode(status), than)?.pk ?? null;
  const heads = series.flatMap((one) => headOf(one, newest(one, before))).sort((a, b) => b.pk - a.pk);
  const found: number[] = [];
  while (found.length < limit) {
    const head = heads.shift();
    if (!head) break;
    found.push(head.pk);
    for (const next of headOf(head.series, newest(head.series, head.pk))) insert(heads, next);
  }
  return found;
}

interface Head {
  series: Series;
  pk: number;
}

function headOf(series: Series, pk: number | null): Head[] {
  return pk === null ? [] : [{ series, pk }];
}

/** Keeps the heads in order, newest first. */
function insert(heads: Head[], head: Head): void {
  const at = heads.findIndex(({ pk }) => pk < head.pk);
  heads.splice(at < 0 ? heads.length : at, 0, head);
}
