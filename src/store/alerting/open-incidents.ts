import { and, eq, inArray, isNotNull, max } from "drizzle-orm";
import { isTransition } from "../../domain/alerts/alert-event.ts";
import type { ClosedIncident, Transition } from "../../domain/alerts/delivery.ts";
import { tracksIncidents } from "../../domain/alerts/incident-key.ts";
import { deliveryId } from "../ids.ts";
import type { Tx } from "../tx.ts";
import { lockEnabled } from "./notices.ts";

/** Which bindings end. @property channelPk only those of one channel. Default: of all channels */
interface EndingBindings {
  monitorPks: readonly number[];
  channelPk?: number;
}

/**
 * Ends the incidents that receivers have open for monitors whose bindings are about to be deleted: no recovery will be notified
 * (behavior 16.150). Each end is the latest notification of trouble again, with why it is over. To be called after the states
 * of the monitors are locked.
 */
export async function closeIncidents(
  tx: Tx,
  ending: EndingBindings,
  why: ClosedIncident["why"],
): Promise<void> {
  const incidents = await listOpenIncidents(tx, ending);
  if (incidents.length === 0) return;
  // In their order, as recordings lock them: see `lockEnabled`.
  for (const channelPk of new Set(incidents.map((one) => one.channelPk))) await lockEnabled(tx, channelPk);
  const events = await listLatestEvents(tx, incidents);
  const rows = incidents.flatMap(({ channelId, channelType, channelPk, monitorPk, incident }) => {
    const event = events.get(`${monitorPk} ${channelPk}`);
    if (!event) return [];
    const at = tx.author?.at ?? event.result.createdAt;
    const closed = closedTransition(event, { incident, closed: { why, at } });
    return [
      {
        ...{ id: deliveryId(null), resultPk: null, monitorPk: null, channelPk, channelId, channelType },
        ...{ event: closed, status: "pending" as const, nextAttemptAt: at, createdAt: at },
      },
    ];
  });
  await tx.sets.insert(tx.tables.deliveries, rows);
}

async function listOpenIncidents({ db, sets, tables }: Tx, { monitorPks, channelPk }: EndingBindings) {
  const { alertBindings, alertChannels } = tables;
  const { monitorPk, incident } = alertBindings;
  const isOpen = and(sets.among(monitorPk, monitorPks), isNotNull(incident), eq(alertChannels.enabled, true));
  const ofChannel = channelPk === undefined ? undefined : eq(alertBindings.channelPk, channelPk);
  const rows = await db
    .select({
      monitorPk,
      incident,
      channelPk: alertChannels.pk,
      channelId: alertChannels.id,
      channelType: alertChannels.type,
      config: alertChannels.config,
    })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, alertBindings.channelPk))
    .where(and(isOpen, ofChannel))
    .orderBy(alertChannels.pk, monitorPk);
  return rows.filter(({ channelType: type, config }) => tracksIncidents({ type, config }));
}

type OpenIncident = Awaited<ReturnType<typeof listOpenIncidents>>[number];

/** The latest delivered notification of each monitor to each channel, by their numbers. */
async function listLatestEvents({ db, sets, tables }: Tx, incidents: readonly OpenIncident[]) {
  const { pk, monitorPk, channelPk, status, event } = tables.deliveries;
  const monitorPks = [...new Set(incidents.map((one) => one.monitorPk))];
  const channelPks = [...new Set(incidents.map((one) => one.channelPk))];
  const isTheirs = and(sets.among(monitorPk, monitorPks), sets.among(channelPk, channelPks));
  const latest = db
    .select({ pk: max(pk) })
    .from(tables.deliveries)
    .where(and(isTheirs, eq(status, "delivered")))
    .groupBy(monitorPk, channelPk);
  const rows = await db
    .select({ monitorPk, channelPk, event })
    .from(tables.deliveries)
    .where(inArray(pk, latest));
  return new Map(
    rows.flatMap((row) =>
      isTransition(row.event) ? [[`${row.monitorPk} ${row.channelPk}`, row.event] as const] : [],
    ),
  );
}

function closedTransition(
  event: Transition,
  { incident, closed }: { incident: string | null; closed: ClosedIncident },
): Transition {
  const { startedAt } = event.outage ?? { startedAt: event.result.createdAt };
  return { ...event, outage: { id: incident ?? "", startedAt }, closed };
}
