import { and, asc, eq, gt, isNull, lt, or } from "drizzle-orm";
import type { Outage } from "../../domain/outages/outage.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { Tx } from "../tx.ts";
import { withDowns } from "./down-stretches.ts";

/** @property pk its number, for the next slice */
export interface ExportedOutage extends Outage {
  pk: number;
  /** With its present tags. */
  monitor: Outage["monitor"] & { tags: string[] };
}

/** Outages in a slice. */
const SIZE = 250;

/**
 * Some of the outages of an organization that lasted in a stretch of time, in the order in which they began to be recorded.
 *
 * @property from milliseconds since 1970, like `to` @property after the number of the last one of the previous slice, or 0
 * @returns none after the last slice
 */
export async function exportOutages(
  tx: Tx,
  organizationId: string,
  { from, to, after }: { from: number; to: number; after: number },
): Promise<ExportedOutage[]> {
  const { monitors, outages } = tx.tables;
  const lasted = and(lt(outages.startedAt, to), or(isNull(outages.endedAt), gt(outages.endedAt, from)));
  const rows = await tx.db
    .select({
      ...exportedColumns(tx),
      monitor: { id: monitors.id, name: monitors.name, type: monitors.type, tags: monitors.tags },
    })
    .from(outages)
    .innerJoin(monitors, eq(monitors.pk, outages.monitorPk))
    .where(
      and(
        eq(outages.organizationPk, await organizationPk(tx, organizationId)),
        gt(outages.pk, after),
        lasted,
      ),
    )
    .orderBy(asc(outages.pk))
    .limit(SIZE);
  return withDowns(tx, rows);
}

function exportedColumns({ tables: { outages } }: Tx) {
  const { pk, id, status, reason, startedAt, endedAt } = outages;
  const { acknowledgedAt, acknowledgedBy, note, maintenanceId } = outages;
  return {
    ...{ pk, id, status, reason, startedAt, endedAt },
    ...{ acknowledgedAt, acknowledgedBy, note, maintenanceId },
  };
}
