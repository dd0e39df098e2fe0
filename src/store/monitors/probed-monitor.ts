import type { ProbedMonitor } from "../../domain/checks/blindness.ts";
import type { MonitorConfig, ProbedType } from "../../domain/monitors/monitor.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { fromJson, type Sql } from "../tx.ts";

/** A probed monitor as it is stored. @property lastResultPk identifies its latest result */
export interface StoredProbedMonitor extends ProbedMonitor {
  pk: number;
  organizationPk: number;
  enabled: boolean;
  blindSince: number | null;
  lastResultPk: number | null;
}

const COLUMNS = `pk, monitors.organization_pk AS "organizationPk", enabled, config, locations, updated_at AS "updatedAt",
  blind_since AS "blindSince", last_result_pk AS "lastResultPk", last_result_at AS "checkedAt"
  FROM monitor_states CROSS JOIN monitors`;
const LIST_PROBED = `SELECT ${COLUMNS}
  WHERE pk = monitor_pk AND monitor_pk > $1 AND enabled AND type <> 'SCHEDULED' AND blind_since IS NULL
  ORDER BY monitor_pk LIMIT $2`;
const LIST_BLIND = `SELECT ${COLUMNS}
  WHERE pk = monitor_pk AND blind_since IS NOT NULL AND monitor_pk > $1 ORDER BY monitor_pk LIMIT $2`;

type Row = Omit<StoredProbedMonitor, "interval" | "timeout"> & { config: Probing };

type Probing = { interval: number; timeout?: number | null };

interface Page {
  after: number;
  limit: number;
}

export function listProbed(sql: Sql, page: Page): Promise<StoredProbedMonitor[]> {
  return list(sql, LIST_PROBED, page);
}

export function listBlind(sql: Sql, page: Page): Promise<StoredProbedMonitor[]> {
  return list(sql, LIST_BLIND, page);
}

async function list({ query }: Sql, text: string, { after, limit }: Page): Promise<StoredProbedMonitor[]> {
  const rows = await query<Row>(text, [after, limit]);
  return rows.map(({ config, ...row }) => {
    const { interval, timeout } = fromJson(config);
    return {
      ...row,
      enabled: Boolean(row.enabled),
      locations: fromJson(row.locations),
      interval,
      timeout: timeout ?? null,
    };
  });
}

export interface DueMonitor {
  pk: number;
  id: string;
  type: ProbedType;
  config: MonitorConfig<ProbedType>;
  /** The status of the last recorded result. */
  status: Status;
  revision: number;
  /** Milliseconds since 1970; in the past if the check is overdue. */
  nextCheckAt: number;
  /** The fencing number of the claim: see `Claimant`. */
  claim: number;
}

/** A check that is due. */
export type Slot = Pick<DueMonitor, "pk" | "nextCheckAt">;
