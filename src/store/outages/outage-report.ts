import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { groupOf, type ResultStatus, statusesOf, TROUBLE } from "../../domain/monitors/status.ts";
import { type OutageReport, type SeenByCheck, stretchesAround } from "../../domain/outages/outage-report.ts";
import { readMeasured } from "../results/measured.ts";
import type { ResultRow, Stretch } from "../results/result-items.ts";
import { readDetails } from "../results/results.ts";
import { statusOfCode } from "../status-codes.ts";
import { fromJson, type Tx } from "../tx.ts";
import { firstDetails } from "./outage-details.ts";
import { findRow, type OutageRow } from "./outages.ts";

/** Behavior 7.45. */
const WITH_LATENCY: readonly MonitorType[] = ["HTTP", "TCP", "TLS"];

/** The most results of each stretch around an outage: as many as a page of results has. */
const MOST = 200;

/** The findings of the checks before, in and after an outage. @throws AppError `not_found` */
export async function findOutageReport(tx: Tx, organizationId: string, id: string): Promise<OutageReport> {
  const row = await findRow(tx, organizationId, id);
  const { startedAt, endedAt, monitor } = row;
  const statuses: readonly ResultStatus[] = statusesOf[monitor.type];
  const healthy = statuses.filter((status) => groupOf(status) === "healthy");
  const trouble = statuses.filter((status) => TROUBLE.includes(status));
  const newest = (wanted: readonly ResultStatus[], stretch: Stretch, limit: number) =>
    tx.reads.newestResults([{ monitorPks: [row.monitorPk], statuses: wanted }], {
      ...{ before: undefined, limit },
      ...stretch,
    });
  const [lastGood] = await newest(healthy, { to: startedAt }, 1);
  const [lastFailing] = await newest(trouble, { from: startedAt, to: endedAt ?? undefined }, 1);
  const around: ResultRow[] = [];
  const interval = await findInterval(tx, row);
  for (const stretch of interval === null ? [] : stretchesAround(row, interval))
    around.push(...(await newest(statuses, stretch, MOST)));
  const details = await readDetails(
    tx,
    [lastGood, lastFailing].filter((one) => one !== undefined),
  );
  const seenBy = ({ createdAt: at, status, timings, detailPk }: ResultRow): SeenByCheck => ({
    ...{ at, status: statusOfCode(status) },
    ...readMeasured(timings, details.get(detailPk ?? 0)),
  });
  const first = await firstDetails(tx, [row]);
  return {
    detail: first.get(row.pk) ?? null,
    lastGood: lastGood ? seenBy(lastGood) : null,
    lastFailing: lastFailing ? seenBy(lastFailing) : null,
    checks: around
      .map(seenBy)
      .map(({ detail: _, ...check }) => check)
      .sort((a, b) => a.at - b.at),
  };
}

const FIND_CONFIG = "SELECT config FROM monitors WHERE pk = $1";

/** The time between two checks in milliseconds; null for a type without latencies. */
async function findInterval({ query }: Tx, { monitorPk, monitor }: OutageRow): Promise<number | null> {
  if (!WITH_LATENCY.includes(monitor.type)) return null;
  const [row] = await query<{ config: unknown }>(FIND_CONFIG, [monitorPk]);
  const { interval } = fromJson(row?.config) as { interval: number };
  return interval * 1000;
}
