import type { Detail } from "../../../domain/checks/observation.ts";
import type { Outage } from "../../monitors/monitor-report.ts";
import { readMeasured } from "../../results/measured.ts";
import { statusOfCode } from "../../status-codes.ts";
import type { Sql } from "../connections.ts";

const LIST = `SELECT outages.id, started_at AS start, ended_at AS end, status, reason, timings,
    detail_pk AS "detailPk", text
  FROM outages LEFT JOIN details ON details.pk = detail_pk
  WHERE outages.monitor_pk = $1 AND (ended_at IS NULL OR ended_at >= $2)
  ORDER BY outages.pk DESC LIMIT $3`;

interface Row {
  id: string;
  start: number;
  end: number | null;
  status: number;
  reason: string | null;
  timings: Uint8Array | null;
  detailPk: number | null;
  text: string | null;
}

/** The outages of a monitor, latest first. @param since only outages that ended later or continue */
export async function listOutages(
  { query }: Sql,
  monitorPk: number,
  { since, limit }: { since: number; limit: number },
): Promise<Outage[]> {
  const rows = await query<Row>(LIST, [monitorPk, since, limit]);
  return rows.map((row) => ({
    id: row.id,
    start: row.start,
    end: row.end,
    status: statusOfCode(row.status),
    detail: detailOf(row),
  }));
}

/** If the detail of the first result of a long outage is deleted already, only the reason is left. */
function detailOf({ reason, timings, detailPk, text }: Row): Detail | null {
  if (detailPk !== null && text === null) return reason === null ? null : { reason };
  return readMeasured(timings, text === null ? undefined : JSON.parse(text)).detail;
}
