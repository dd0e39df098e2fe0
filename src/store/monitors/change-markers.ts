import { count, eq, max, sql } from "drizzle-orm";
import { organizationPk } from "../accounts/organizations.ts";
import type { Tx } from "../tx.ts";

/** Opaque texts. A text differs from an earlier one after a change of what it is named for. */
export interface ChangeMarkers {
  /** The settings and the statuses of the monitors. */
  monitors: string;
  channels: string;
  /** The newest result. */
  results: string;
}

/** The markers of an organization. It reads all monitors of the organization, but takes little time each second. */
export async function findChangeMarkers(tx: Tx, organizationId: string): Promise<ChangeMarkers> {
  const { alertChannels, monitorStates, monitors } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const [monitor] = await tx.db
    .select({
      count: count(),
      updatedAt: max(monitors.updatedAt),
      // Not the maximum: a confirmed status began before its check, maybe earlier than that of another monitor. The
      // modulus keeps the sum exact.
      statusSince: sql`sum(${monitorStates.statusSince} % 1000000007)`,
      result: max(monitorStates.lastResultPk),
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(eq(monitors.organizationPk, organization));
  const [channel] = await tx.db
    .select({ count: count(), updatedAt: max(alertChannels.updatedAt) })
    .from(alertChannels)
    .where(eq(alertChannels.organizationPk, organization));
  return {
    monitors: `${monitor?.count} ${monitor?.updatedAt} ${monitor?.statusSince}`,
    channels: `${channel?.count} ${channel?.updatedAt}`,
    results: `${monitor?.result}`,
  };
}
