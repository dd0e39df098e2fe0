import type { Detail } from "../../../domain/checks/observation.ts";
import type { Outage } from "../../monitors/monitor-report.ts";
import { readMeasured } from "../../results/measured.ts";
import { statusOfCode } from "../../status-codes.ts";
import type { Database } from "../open.ts";

const LIST = `SELECT outages.id, outages.started_at AS start, outages.ended_at AS end, outages.status, outages.reason,
    check_results.pk AS resultPk, check_results.timings, details.text
  FROM outages
  LEFT JOIN check_results ON check_results.pk = outages.result_pk
  LEFT JOIN details ON details.pk = check_results.detail_pk
  WHERE outages.monitor_pk = ?1 AND (outages.ended_at IS NULL OR outages.ended_at >= ?2)
  ORDER BY outages.pk DESC LIMIT ?3`;

interface Row {
  id: string;
  start: number;
  end: number | null;
  status: number;
  reason: string | null;
  resultPk: number | null;
  timings: Uint8Array | null;
  text: string | null;
}

/** The outages of a monitor, latest first. @param since only outages that ended later or continue */
export function listOutages(
  db: Database,
  monitorPk: number,
  { since, limit }: { since: number; limit: number },
): Outage[] {
  return db.$client
    .query<Row, [number, number, number]>(LIST)
    .all(monitorPk, since, limit)
    .map((row) => ({
      id: row.id,
      start: row.start,
      end: row.end,
      status: statusOfCode(row.status),
      detail: detailOf(row),
    }));
}

/** If the first result of a long outage is deleted already, only the reason is left. */
function detailOf({ reason, resultPk, timings, text }: Row): Detail | null {
  if (resultPk === null) return reason === null ? null : { reason };
  return readMeasured(timings, text === null ? undefined : JSON.parse(text)).detail;
}
