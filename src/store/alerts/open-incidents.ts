import { and, desc, eq, inArray, isNotNull, max, sql } from "drizzle-orm";
import { endsIncident, incidentKey, isTransition, type Notice } from "../../domain/alerts/alert-event.ts";
import { type AlertChannel, type ChannelType, tracksIncidents } from "../../domain/alerts/channel.ts";
import type { ClosedIncident, Transition } from "../../domain/alerts/delivery.ts";
import { EVERY_GROUP } from "../../domain/alerts/notify.ts";
import { createId, deliveryId } from "../ids.ts";
import type { TimedTx, Tx } from "../tx.ts";
import { isPending } from "./deliveries.ts";

/**
 * Which bindings end.
 *
 * @property monitorPks default: of all monitors @property channelPk only bindings to this channel; default: to all channels
 */
interface EndingBindings {
  monitorPks?: readonly number[];
  channelPk?: number;
}

/**
 * Ends the incidents that receivers have, or may have, open for monitors whose bindings are about to be deleted: no recovery will
 * be notified (behavior 16.150). Each end is a notification of the trouble again, with why it is over. To be called after the
 * states of the monitors are locked, and before pending notifications are cancelled.
 */
export async function closeIncidents(
  tx: Tx,
  ending: EndingBindings,
  why: ClosedIncident["why"],
): Promise<void> {
  // In this order: one that is recorded as delivered in between is found twice instead of never.
  const found = [...(await listOpening(tx, ending)), ...(await listOpen(tx, ending))];
  if (found.length === 0) return;
  const incidents = unique(found);
  // In their order, as recordings lock them: see `lockEnabled`.
  for (const channelPk of new Set(incidents.map((one) => one.channelPk))) await lockEnabled(tx, channelPk);
  const rows = incidents.map((incident) => {
    const at = tx.author?.at ?? incident.event.result.createdAt;
    return { ...endOf(incident, { why, at }), nextAttemptAt: at };
  });
  await tx.sets.insert(tx.tables.deliveries, rows);
}

/** Why an address of a channel is left. */
type Leaving = Exclude<ClosedIncident["why"], "deleted" | "unbound">;

/** A `trigger` that is under way to the same address arrives within this time; milliseconds. */
const UNDER_WAY = 15_000;

/**
 * Ends the incidents that are, or may be, open at the address of a channel that is about to be disabled or deleted, or to get
 * another address (behavior 5.42). The ends go to the present address, which gets a channel of its own that nothing lists, so that
 * they neither wait for other notifications nor end with the channel. To be called before the channel is changed.
 */
export async function retireAddress(tx: Tx, channelPk: number, why: Leaving): Promise<void> {
  const { alertBindings, alertChannels, deliveries } = tx.tables;
  const opening = await listOpening(tx, { channelPk });
  const isOpening = new Set(opening.map(pairOf));
  const incidents = unique([...opening, ...(await listOpen(tx, { channelPk }))]);
  if (incidents.length === 0) return;
  const { organizationPk, name, type, config, language } = alertChannels;
  const [left] = await tx.db
    .select({ organizationPk, name, type, config, language })
    .from(alertChannels)
    .where(eq(alertChannels.pk, channelPk));
  if (!left) return;
  const now = tx.author?.at ?? Math.max(...incidents.map(({ event }) => event.result.createdAt));
  const times = { createdAt: now, updatedAt: now, retiredAt: now };
  const [address] = await tx.db
    .insert(alertChannels)
    .values({ ...left, ...times, id: createId(), enabled: false, notifyOn: [...EVERY_GROUP] })
    .returning({ pk: alertChannels.pk });
  if (!address) throw new Error("the insert returned no channel");
  const rows = incidents.map((incident) => ({
    ...endOf(incident, { why, at: now }),
    channelPk: address.pk,
    nextAttemptAt: isOpening.has(pairOf(incident)) ? now + UNDER_WAY : now,
  }));
  await tx.sets.insert(deliveries, rows);
  await tx.db.update(alertBindings).set({ incident: null }).where(eq(alertBindings.channelPk, channelPk));
}

function unique(found: readonly Incident[]): Incident[] {
  return [...new Map(found.map((one) => [pairOf(one), one])).values()].toSorted(inOrder);
}

/** The delivery of the end of an incident, without when it is due. */
function endOf({ event, key, channelPk, channelId, channelType }: Incident, closed: ClosedIncident) {
  const { startedAt } = event.outage ?? { startedAt: event.result.createdAt };
  const ended: Transition = { ...event, outage: { id: key, startedAt }, closed };
  return {
    ...{ id: deliveryId(null), resultPk: null, monitorPk: null, channelPk, channelId, channelType },
    ...{ event: ended, status: "pending" as const, createdAt: closed.at },
  };
}

/** @property key of the incident at the receiver @property event a notification of its trouble */
interface Incident extends Pair {
  channelId: string;
  channelType: ChannelType;
  key: string;
  event: Transition;
}

interface Pair {
  monitorPk: number;
  channelPk: number;
}

const inOrder = (a: Pair, b: Pair) => a.channelPk - b.channelPk || a.monitorPk - b.monitorPk;
const pairOf = ({ monitorPk, channelPk }: Pair) => `${monitorPk} ${channelPk}`;

/**
 * The incidents that pending notifications open. Such a notification may be under way, or may have arrived although its attempt
 * failed. Receivers ignore the end of an incident that they do not have.
 */
async function listOpening(tx: Tx, { monitorPks, channelPk }: EndingBindings): Promise<Incident[]> {
  const { alertChannels, deliveries } = tx.tables;
  const { pk, monitorPk, event } = deliveries;
  // The plus keeps the engine from reading all deliveries of the monitors: the pending ones have an index of their own.
  const ofMonitors = monitorPks && tx.sets.among(sql`+${monitorPk}`, monitorPks);
  const ofChannel = channelPk === undefined ? undefined : eq(deliveries.channelPk, channelPk);
  const rows = await tx.db
    .select({ ...channelColumns(tx), monitorPk, event })
    .from(deliveries)
    .innerJoin(alertChannels, eq(alertChannels.pk, deliveries.channelPk))
    .where(and(isPending(tx.tables), ofMonitors, ofChannel, isEnabledWebhook(tx)))
    // The first to be sent has the key, so it is the last here: it replaces the others.
    .orderBy(desc(pk));
  return rows.filter(tracks).flatMap(({ config, monitorPk, event, ...channel }) => {
    if (monitorPk === null || !isTransition(event) || endsIncident(event)) return [];
    return [{ ...channel, monitorPk, event, key: incidentKey(event, null) }];
  });
}

/** The incidents that delivered notifications opened, with the latest of them. */
async function listOpen(tx: Tx, { monitorPks, channelPk }: EndingBindings): Promise<Incident[]> {
  const { alertBindings, alertChannels } = tx.tables;
  const { monitorPk, incident } = alertBindings;
  const ofMonitors = monitorPks && tx.sets.among(monitorPk, monitorPks);
  const ofChannel = channelPk === undefined ? undefined : eq(alertBindings.channelPk, channelPk);
  const rows = await tx.db
    .select({ ...channelColumns(tx), monitorPk, incident })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, alertBindings.channelPk))
    .where(and(ofMonitors, ofChannel, isNotNull(incident), isEnabledWebhook(tx)));
  const open = rows.filter(tracks);
  const events = await listLatestEvents(tx, open);
  return open.flatMap(({ config, incident, ...one }) => {
    const event = events.get(pairOf(one));
    return event ? [{ ...one, event, key: incident ?? "" }] : [];
  });
}

function channelColumns({ tables: { alertChannels } }: Tx) {
  const { pk: channelPk, id: channelId, type: channelType, config } = alertChannels;
  return { channelPk, channelId, channelType, config };
}

function isEnabledWebhook({ tables: { alertChannels } }: Tx) {
  return and(eq(alertChannels.type, "WEBHOOK"), eq(alertChannels.enabled, true));
}

function tracks({ channelType: type, config }: Pick<Incident, "channelType"> & Pick<AlertChannel, "config">) {
  return tracksIncidents({ type, config });
}

/** The latest delivered notification of each monitor to each channel. */
async function listLatestEvents(
  { db, sets, tables }: Tx,
  pairs: readonly Pair[],
): Promise<Map<string, Transition>> {
  if (pairs.length === 0) return new Map();
  const { pk, monitorPk, channelPk, status, event } = tables.deliveries;
  const monitorPks = [...new Set(pairs.map((one) => one.monitorPk))];
  const channelPks = [...new Set(pairs.map((one) => one.channelPk))];
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
    rows.flatMap(({ monitorPk, channelPk, event }) =>
      monitorPk !== null && isTransition(event) ? [[pairOf({ monitorPk, channelPk }), event] as const] : [],
    ),
  );
}

/** A notice, and the organization that it is for. */
interface NewNotice {
  organizationPk: number;
  event: Notice;
}

/**
 * Creates one delivery of a notice for each enabled default channel of an organization, due now (behavior 13.60). It locks the
 * channels, so the caller writes the states of monitors before.
 */
export async function createNotices(tx: TimedTx, notice: NewNotice): Promise<void> {
  const channelPks = await listDefaultChannels(tx, notice.organizationPk);
  await createNoticesFor(tx, { ...notice, channelPks });
}

/** Like `createNotices`, for the enabled ones of some channels. @property channelPks in any order, each once */
export async function createNoticesFor(
  tx: TimedTx,
  { channelPks, event }: Pick<NewNotice, "event"> & { channelPks: readonly number[] },
): Promise<void> {
  const { db, tables } = tx;
  // Recordings lock them in this order.
  for (const channelPk of channelPks.toSorted((one, other) => one - other)) {
    const channel = await lockEnabled(tx, channelPk);
    if (!channel) continue;
    await db.insert(tables.deliveries).values({
      ...channel,
      ...{ id: deliveryId(null), resultPk: null, monitorPk: null, event },
      ...{ status: "pending", nextAttemptAt: tx.now, createdAt: tx.now },
    });
  }
}

async function listDefaultChannels({ db, tables }: Tx, organizationPk: number): Promise<number[]> {
  const { defaultChannels } = tables;
  const rows = await db
    .select({ pk: defaultChannels.channelPk })
    .from(defaultChannels)
    .where(eq(defaultChannels.organizationPk, organizationPk));
  return rows.map(({ pk }) => pk);
}

/**
 * The update changes nothing. On PostgreSQL it lets a recording for this channel wait until the commit, so that the deliveries
 * of the channel are in the order of the commits, as in `save-deliveries.ts`.
 */
async function lockEnabled({ db, tables }: Tx, pk: number) {
  const { alertChannels } = tables;
  const [channel] = await db
    .update(alertChannels)
    .set({ revision: sql`${alertChannels.revision}` })
    .where(and(eq(alertChannels.pk, pk), eq(alertChannels.enabled, true)))
    .returning({ channelPk: alertChannels.pk, channelId: alertChannels.id, channelType: alertChannels.type });
  return channel;
}
