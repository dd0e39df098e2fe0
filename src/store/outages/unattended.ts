import { and, eq, isNull } from "drizzle-orm";
import type { Status } from "../../domain/monitors/status.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { Tx } from "../tx.ts";

/** A monitor in trouble whose outage nobody has acknowledged. */
export interface UnattendedMonitor {
  id: string;
  tags: string[];
  status: Status;
}

/** More are not counted. */
export const MAX_UNATTENDED = 1000;

/**
 * At most 1,000 monitors with an open outage that nobody has acknowledged, also those in maintenance.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function listUnattended(tx: Tx, organizationId: string): Promise<UnattendedMonitor[]> {
  const { monitors, monitorStates, outages } = tx.tables;
  return tx.db
    .select({ id: monitors.id, tags: monitors.tags, status: monitorStates.status })
    .from(outages)
    .innerJoin(monitors, eq(monitors.pk, outages.monitorPk))
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(
      and(
        eq(outages.organizationPk, await organizationPk(tx, organizationId)),
        isNull(outages.endedAt),
        isNull(outages.acknowledgedAt),
      ),
    )
    .limit(MAX_UNATTENDED);
}
