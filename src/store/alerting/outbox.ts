import { and, count, desc, eq, ne } from "drizzle-orm";
import type { Transition } from "../../domain/alerts/delivery.ts";
import { shouldNotify } from "../../domain/alerts/notify.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { deliveryId } from "../ids.ts";
import type { Database, Queries } from "../sqlite/open.ts";
import { alertBindings, alertChannels, deliveries } from "../sqlite/schema.ts";
import { isPending } from "./delivery-cancellation.ts";

/** By hand, for one transition may go to thousands of channels. */
const INSERT = `INSERT INTO deliveries
  (id, monitor_pk, result_pk, channel_pk, channel_id, channel_type, transition, status, next_attempt_at, created_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8, ?8)`;

/**
 * Writes one delivery for each enabled channel of the monitor that wants the transition, to be called within the
 * transaction of the result.
 */
export function insertDeliveries(
  db: Database,
  { monitorPk, resultPk, transition }: { monitorPk: number; resultPk: number; transition: Transition },
  now: number,
): void {
  const channels = db
    .select({
      pk: alertChannels.pk,
      id: alertChannels.id,
      type: alertChannels.type,
      notifyOn: alertChannels.notifyOn,
      toldStatus: alertBindings.toldStatus,
    })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, alertBindings.channelPk))
    .where(and(eq(alertBindings.monitorPk, monitorPk), eq(alertChannels.enabled, true)))
    .all();
  if (channels.length === 0) return;
  const insert = db.$client.query(INSERT);
  const text = JSON.stringify(transition);
  for (const { pk, id, type, notifyOn, toldStatus } of channels) {
    const lastTold = () => lastKept(db, monitorPk, pk) ?? toldStatus ?? undefined;
    if (!shouldNotify(notifyOn, transition, lastTold)) continue;
    insert.run(deliveryId(resultPk), monitorPk, resultPk, pk, id, type, text, now);
  }
}

/** The status in the last delivery that arrived or still may; one that is old goes with its result. */
function lastKept(tx: Queries, monitorPk: number, channelPk: number): Status | undefined {
  const its = and(eq(deliveries.monitorPk, monitorPk), eq(deliveries.channelPk, channelPk));
  return tx
    .select({ transition: deliveries.transition })
    .from(deliveries)
    .where(and(its, ne(deliveries.status, "failed")))
    .orderBy(desc(deliveries.pk))
    .limit(1)
    .get()?.transition.status;
}

/** How many deliveries to the channels of an organization wait for an attempt, the first or another. */
export async function countWaiting(db: Database, organizationId: string): Promise<number> {
  const [row] = db
    .select({ waiting: count() })
    .from(alertChannels)
    .innerJoin(deliveries, and(eq(deliveries.channelPk, alertChannels.pk), isPending))
    .where(eq(alertChannels.organizationPk, organizationPk(db, organizationId)))
    .all();
  return row?.waiting ?? 0;
}
