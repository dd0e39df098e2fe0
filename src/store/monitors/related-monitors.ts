import { and, count, eq, isNull, max, type SQLWrapper, sql } from "drizzle-orm";
import type { ProbedMonitor } from "../../domain/checks/blindness.ts";
import { MAX_RELATED, type Relation } from "../../domain/monitors/dependencies.ts";
import type { MonitorConfig, ProbedType } from "../../domain/monitors/monitor.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { fromJson, type Sql, type Tx } from "../tx.ts";
import { oneMonitor } from "./monitors.ts";

/** The parts of a monitor that a graph of dependencies shows. */
export interface RelatedMonitor {
  id: string;
  name: string;
  status: Status;
  enabled: boolean;
  /** The IDs of the monitors that it depends on directly. */
  dependsOn: string[];
  /** Whether an enabled channel is bound to it. */
  isNotified: boolean;
}

const NEXT: Record<Relation, string> = {
  dependencies: `SELECT DISTINCT depends_on_pk AS pk FROM monitor_dependencies
    WHERE monitor_pk = ANY($1) LIMIT ${MAX_RELATED + 1}`,
  dependents: `SELECT DISTINCT monitor_pk AS pk FROM monitor_dependencies
    WHERE depends_on_pk = ANY($1) LIMIT ${MAX_RELATED + 1}`,
};

/** A monitor, and then the monitors that are related to it: the first of them that are found. @throws AppError `not_found` */
export async function listRelated(
  tx: Tx,
  organizationId: string,
  { id, relation }: { id: string; relation: Relation },
): Promise<RelatedMonitor[]> {
  const { db, tables, sets } = tx;
  const { monitors, monitorStates } = tables;
  const [self] = await db
    .select({ pk: monitors.pk })
    .from(monitors)
    .where(await oneMonitor(tx, organizationId, id));
  if (!self) throw notFound();
  const pks = await findRelated(tx, self.pk, relation);
  const rows = await db
    .select({
      pk: monitors.pk,
      id: monitors.id,
      name: monitors.name,
      status: monitorStates.status,
      enabled: monitors.enabled,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(sets.among(monitors.pk, pks));
  const known = new Map(rows.map((row) => [row.pk, row]));
  const parents = await findParentIds(tx, pks);
  const notified = await findNotified(tx, pks);
  return pks.flatMap((one) => {
    const row = known.get(one);
    if (!row) return [];
    const { pk, ...monitor } = row;
    return [{ ...monitor, dependsOn: parents.get(pk) ?? [], isNotified: notified.has(pk) }];
  });
}

/** The nearest first, after the monitor itself. */
async function findRelated({ query }: Tx, pk: number, relation: Relation): Promise<number[]> {
  const found = new Set([pk]);
  for (let level = [pk]; level.length > 0; ) {
    const rows = await query<{ pk: number }>(NEXT[relation], [level]);
    level = rows.map((row) => row.pk).filter((one) => !found.has(one));
    for (const one of level) {
      found.add(one);
      if (found.size > MAX_RELATED) return [...found];
    }
  }
  return [...found];
}

async function findParentIds({ db, tables, sets }: Tx, pks: number[]): Promise<Map<number, string[]>> {
  const { monitorDependencies, monitors } = tables;
  const rows = await db
    .select({ pk: monitorDependencies.monitorPk, id: monitors.id })
    .from(monitorDependencies)
    .innerJoin(monitors, eq(monitors.pk, monitorDependencies.dependsOnPk))
    .where(sets.among(monitorDependencies.monitorPk, pks))
    .orderBy(monitors.pk);
  const byChild = Map.groupBy(rows, (row) => row.pk);
  return new Map([...byChild].map(([pk, found]) => [pk, found.map(({ id }) => id)]));
}

async function findNotified({ db, tables, sets }: Tx, pks: number[]): Promise<Set<number>> {
  const { alertBindings, alertChannels } = tables;
  const rows = await db
    .select({ pk: alertBindings.monitorPk })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, alertBindings.channelPk))
    .where(and(sets.among(alertBindings.monitorPk, pks), eq(alertChannels.enabled, true)));
  return new Set(rows.map(({ pk }) => pk));
}

/** Opaque texts. A text differs from an earlier one after a change of what it is named for. */
export interface ChangeMarkers {
  /**
   * The settings and the statuses of the monitors, the acknowledgements of their open outages, maintenances, and public pages.
   * Another entry of the audit log counts as one of these.
   */
  monitors: string;
  channels: string;
  /** The newest result of each monitor. */
  results: string;
}

/** The parts of the markers that recordings change. It reads the states of all monitors. */
export async function findStateMarkers(
  tx: Tx,
  organizationId: string,
): Promise<Pick<ChangeMarkers, "monitors" | "results">> {
  const { monitorStates } = tx.tables;
  const [state] = await tx.db
    .select({
      statusSince: total(monitorStates.statusSince),
      blind: total(monitorStates.blindSince),
      result: total(monitorStates.lastResultPk),
    })
    .from(monitorStates)
    .where(eq(monitorStates.organizationPk, await organizationPk(tx, organizationId)));
  return { monitors: `${state?.statusSince} ${state?.blind}`, results: `${state?.result}` };
}

/** The parts of the markers that users change. It reads all monitors of the organization. */
export async function findSettingMarkers(
  tx: Tx,
  organizationId: string,
): Promise<Pick<ChangeMarkers, "monitors" | "channels">> {
  const { alertChannels, auditEntries, maintenanceRuns, monitors, organizations, outages, pages } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const [monitor] = await tx.db
    .select({ count: count(), updatedAt: total(monitors.updatedAt) })
    .from(monitors)
    .where(eq(monitors.organizationPk, organization));
  const [channel] = await tx.db
    .select({ count: count(), updatedAt: total(alertChannels.updatedAt) })
    .from(alertChannels)
    .where(eq(alertChannels.organizationPk, organization));
  const [outage] = await tx.db
    .select({ count: count(outages.acknowledgedAt), acknowledgedAt: total(outages.acknowledgedAt) })
    .from(outages)
    .where(and(eq(outages.organizationPk, organization), isNull(outages.endedAt)));
  const [maintenance] = await tx.db
    .select({ revision: organizations.maintenanceRevision, open: total(maintenanceRuns.pk) })
    .from(organizations)
    .leftJoin(
      maintenanceRuns,
      and(eq(maintenanceRuns.organizationPk, organizations.pk), isNull(maintenanceRuns.endsAt)),
    )
    .where(eq(organizations.pk, organization))
    .groupBy(organizations.pk);
  const [page] = await tx.db
    .select({ sum: total(pages.pk), revision: total(pages.revision) })
    .from(pages)
    .where(eq(pages.organizationPk, organization));
  // A change that is taken back restores the sums: a page that has read them in between must read again.
  const [entry] = await tx.db
    .select({ last: max(auditEntries.pk) })
    .from(auditEntries)
    .where(eq(auditEntries.organizationPk, organization));
  const maintenances = `${maintenance?.revision} ${maintenance?.open}`;
  const acknowledgements = `${outage?.count} ${outage?.acknowledgedAt}`;
  const settings = `${maintenances} ${page?.sum} ${page?.revision} ${entry?.last}`;
  return {
    monitors: `${monitor?.count} ${monitor?.updatedAt} ${acknowledgements} ${settings}`,
    channels: `${channel?.count} ${channel?.updatedAt}`,
  };
}

/**
 * Not the maximum, because what is committed later may have a smaller number or an earlier time: another node took it before
 * it committed, or a confirmed status began before its check. The modulus keeps the sum exact.
 */
function total(column: SQLWrapper) {
  return sql`sum(${column} % 1000000007)`;
}

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
