import { and, asc, desc, eq, gte, inArray } from "drizzle-orm";
import { isTransition } from "../../domain/alerts/alert-event.ts";
import {
  type OutageHistory,
  type OutageNotification,
  type TimelineItem,
  timelineOf,
} from "../../domain/outages/timeline.ts";
import { notFound } from "../../errors.ts";
import type { Tx } from "../tx.ts";
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
