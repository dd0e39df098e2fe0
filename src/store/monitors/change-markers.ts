import { and, count, eq, isNull, type SQLWrapper, sql } from "drizzle-orm";
import { organizationPk } from "../accounts/organizations.ts";
import type { Tx } from "../tx.ts";

/** Opaque texts. A text differs from an earlier one after a change of what it is named for. */
export interface ChangeMarkers {
  /** The settings and the statuses of the monitors, the acknowledgements of their open outages, maintenances, and public pages. */
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
  const { alertChannels, maintenanceRuns, monitors, organizations, outages, pages } = tx.tables;
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
  const maintenances = `${maintenance?.revision} ${maintenance?.open}`;
  const acknowledgements = `${outage?.count} ${outage?.acknowledgedAt}`;
  const settings = `${maintenances} ${page?.sum} ${page?.revision}`;
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
