import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { MonitorMaintenance } from "../../domain/maintenance/maintenance.ts";
import type { Acknowledgement } from "../../domain/monitors/outage.ts";
import type { Attendance } from "../../domain/monitors/standing.ts";
import { findCalendar } from "../maintenance/calendars.ts";
import type { Tx } from "../tx.ts";

export type StoredAttendance = Attendance<MonitorMaintenance, Acknowledgement>;

/**
 * The open maintenance windows and the acknowledged outages of an organization.
 *
 * @param now milliseconds since 1970
 * @throws AppError `not_found` if the organization does not exist
 */
export async function findAttendance(tx: Tx, organizationId: string, now: number): Promise<StoredAttendance> {
  const calendar = await findCalendar(tx, organizationId);
  const acknowledgements = await listAcknowledgements(tx, organizationId);
  return {
    maintenanceOf: (monitor) => calendar.windowOf(monitor, now),
    acknowledgementOf: ({ id }) => acknowledgements.get(id) ?? null,
  };
}

/** By the ID of the monitor. Only open outages are read, by their index. */
async function listAcknowledgements(tx: Tx, organizationId: string): Promise<Map<string, Acknowledgement>> {
  const { monitors, organizations, outages } = tx.tables;
  const { acknowledgedAt, acknowledgedBy, note, endedAt } = outages;
  const rows = await tx.db
    .select({ id: monitors.id, at: acknowledgedAt, by: acknowledgedBy, note })
    .from(outages)
    .innerJoin(organizations, eq(organizations.pk, outages.organizationPk))
    .innerJoin(monitors, eq(monitors.pk, outages.monitorPk))
    .where(and(eq(organizations.id, organizationId), isNull(endedAt), isNotNull(acknowledgedAt)));
  return new Map(rows.map(({ id, at, by, note }) => [id, { at: at ?? 0, by: by ?? "", note }]));
}
