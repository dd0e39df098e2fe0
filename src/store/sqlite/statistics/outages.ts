import type { Detail } from "../../../domain/checks/observation.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Status } from "../../../domain/monitors/status.ts";
import { isBad } from "../../../domain/results/uptime.ts";
import type { Database } from "../open.ts";
import { findResult } from "../results/result-row.ts";
import { everySeriesOf, statusOf } from "../results/series.ts";
import type { monitors } from "../schema.ts";

/** A stretch of results that all take away from the uptime. */
export interface Outage {
  /** When its first result was; milliseconds since 1970. */
  start: number;
  /** When the first other result after it was; null while it goes on. */
  end: number | null;
  /** Of its first result. */
  status: Status;
  detail: Detail | null;
}

type Row = Pick<typeof monitors.$inferSelect, "pk" | "type">;

/** The latest outages first. Each costs some looks into the index, however long it was. */
export function listOutages(
  db: Database,
  { pk, type }: Row,
  { since, limit }: { since: number; limit: number },
): Outage[] {
  const series = everySeriesOf(pk, type);
  const isDown = (one: number) => isBad(statusOf(one, type));
  const down = finder(db, series.filter(isDown));
  const other = finder(
    db,
    series.filter((one) => !isDown(one)),
  );
  const found: Outage[] = [];
  let last = down.before(Number.MAX_SAFE_INTEGER);
  while (last !== null && found.length < limit) {
    const before = other.before(last);
    const first = down.after(before ?? 0) ?? last;
    const outage = outageOf(db, type, { first, after: other.after(last) });
    if ((outage.end ?? since) < since) break;
    found.push(outage);
    last = before === null ? null : down.before(before);
  }
  return found;
}

/** Finds the results next to one, among those of some series. */
function finder(db: Database, series: number[]) {
  const look = (extreme: "min" | "max", comparison: "<" | ">") => {
    const statement = db.$client.query<{ pk: number | null }, [number, number]>(
      `SELECT ${extreme}(pk) AS pk FROM check_results WHERE series = ? AND pk ${comparison} ?`,
    );
    const choose = extreme === "min" ? Math.min : Math.max;
    return (pk: number): number | null => {
      const pks = series.flatMap((one) => statement.get(one, pk)?.pk ?? []);
      return pks.length > 0 ? choose(...pks) : null;
    };
  };
  return { before: look("max", "<"), after: look("min", ">") };
}

/** @param after the first result that is no longer of the outage, if there is one */
function outageOf(
  db: Database,
  type: MonitorType,
  { first, after }: { first: number; after: number | null },
): Outage {
  const began = findResult(db, type, first);
  if (!began) throw new Error(`result ${first} was deleted while it was read`);
  const { createdAt, status, detail } = began;
  const end = after === null ? null : (findResult(db, type, after)?.createdAt ?? null);
  return { start: createdAt, end, status, detail };
}
