import { and, asc, desc, eq, gte, inArray, isNotNull, isNull } from "drizzle-orm";
import { isTransition } from "../../domain/alerts/alert-event.ts";
import type { MonitorMaintenance } from "../../domain/maintenance/maintenance.ts";
import type { Acknowledgement } from "../../domain/monitors/planned-result.ts";
import type { Attendance } from "../../domain/monitors/standing.ts";
import type { Status } from "../../domain/monitors/status.ts";
import {
  type OutageHistory,
  type OutageNotification,
  type TimelineItem,
  timelineOf,
} from "../../domain/outages/timeline.ts";
import { notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { findCalendar } from "../maintenance/calendars.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { findRow, type OutageRow, withoutKeys } from "./outages.ts";

/** The most changes and notifications of one outage that are read. */
const MOST = 500;

/** The events of an outage, oldest first. @throws AppError `not_found` */
export async function findTimeline(tx: Tx, organizationId: string, id: string): Promise<TimelineItem[]> {
  const row = await findRow(tx, organizationId, id);
  const rows = await listNotifications(tx, row);
  const notifications = rows.flatMap((one) => notificationOf(one) ?? []);
  const causes = notifications.flatMap(({ hold }) =>
    hold && "by" in hold && hold.by ? [hold.by.monitorId] : [],
  );
  return timelineOf({
    outage: withoutKeys(row),
    ...(await listChanges(tx, row)),
    notifications,
    monitors: await namesOf(tx, row.organizationPk, causes),
  });
}

/** The changes since the change that began the outage, or since the first change after it. */
async function listChanges(
  { db, tables }: Tx,
  { monitorPk, resultPk }: OutageRow,
): Promise<Omit<OutageHistory, "outage" | "notifications" | "monitors">> {
  const { statusChanges, monitorStates, monitors } = tables;
  const { createdAt: at, previousStatus } = statusChanges;
  const rows = await db
    .select({ pk: statusChanges.resultPk, at, previousStatus })
    .from(statusChanges)
    .where(and(eq(statusChanges.monitorPk, monitorPk), gte(statusChanges.resultPk, resultPk)))
    .orderBy(asc(statusChanges.resultPk))
    .limit(MOST + 1);
  const [state] = await db
    .select({
      status: monitorStates.status,
      before: monitorStates.statusBefore,
      type: monitors.type,
      recoveries: monitors.recoveries,
      locations: monitors.locations,
    })
    .from(monitorStates)
    .innerJoin(monitors, eq(monitors.pk, monitorStates.monitorPk))
    .where(eq(monitorStates.monitorPk, monitorPk));
  if (!state) throw notFound();
  return {
    changes: rows.slice(0, MOST),
    beginsWithChange: rows[0]?.pk === resultPk,
    // Behavior 11.6: a better date of a certificate is confirmed in any case.
    endsBeforeChange: state.recoveries > 0 || state.locations !== null || state.type === "TLS",
    present: rows[MOST]?.previousStatus ?? state.before ?? state.status,
  };
}

/** The latest ones, in their order. */
async function listNotifications({ db, tables }: Tx, { pk, monitorPk }: OutageRow) {
  const { deliveries, alertChannels } = tables;
  const { createdAt, lastAttemptAt, deliveredAt, status, hold, error, event } = deliveries;
  const rows = await db
    .select({
      ...{ createdAt, lastAttemptAt, deliveredAt, status, hold, error, event },
      channel: { id: deliveries.channelId, name: alertChannels.name, type: deliveries.channelType },
    })
    .from(deliveries)
    .leftJoin(alertChannels, eq(alertChannels.pk, deliveries.channelPk))
    .where(and(eq(deliveries.outagePk, pk), eq(deliveries.monitorPk, monitorPk)))
    .orderBy(desc(deliveries.pk))
    .limit(MOST);
  return rows.toReversed();
}

type NotificationRow = Awaited<ReturnType<typeof listNotifications>>[number];

function notificationOf({
  event,
  status: delivery,
  ...row
}: NotificationRow): OutageNotification | undefined {
  if (!isTransition(event)) return undefined;
  return { ...row, delivery, status: event.status, isReminder: event.reminder === true };
}

async function namesOf(
  { db, tables: { monitors } }: Tx,
  organizationPk: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { id, name } = monitors;
  const rows = await db
    .select({ id, name })
    .from(monitors)
    .where(and(inArray(id, [...new Set(ids)]), eq(monitors.organizationPk, organizationPk)));
  return new Map(rows.map((row) => [row.id, row.name]));
}

export type StoredAttendance = Attendance<MonitorMaintenance, Acknowledgement>;

/**
 * The open maintenance windows and the acknowledged outages of an organization.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function findAttendance(tx: TimedTx, organizationId: string): Promise<StoredAttendance> {
  const calendar = await findCalendar(tx, organizationId);
  const acknowledgements = await listAcknowledgements(tx, organizationId);
  return {
    maintenanceOf: (monitor) => calendar.windowOf(monitor, tx.now),
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

/** A monitor in trouble whose outage nobody has acknowledged. */
export interface UnattendedMonitor {
  id: string;
  tags: string[];
  status: Status;
}

/** More are not counted. */
const MAX_UNATTENDED = 1000;

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
