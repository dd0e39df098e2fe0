import { and, eq, inArray } from "drizzle-orm";
import { AppError } from "../../errors.ts";
import type { Tx } from "../tx.ts";
import { cancelPending } from "./delivery-cancellation.ts";

/**
 * Binds a monitor to exactly these channels; a repeated ID counts once. Pending notifications of this monitor to a
 * channel that is no longer bound are cancelled.
 *
 * @throws AppError `invalid` for an ID that is not a channel of the organization
 */
export async function bindChannels(
  tx: Tx,
  {
    monitorPk,
    organizationPk,
    channelIds,
  }: { monitorPk: number; organizationPk: number; channelIds: string[] },
): Promise<void> {
  const { alertBindings } = tx.tables;
  const channelPks = await findChannelPks(tx, { organizationPk, channelIds, field: "alertChannelIds" });
  const ofMonitor = eq(alertBindings.monitorPk, monitorPk);
  for (const { channelPk } of await tx.db.select().from(alertBindings).where(ofMonitor)) {
    if (channelPks.has(channelPk)) continue;
    // First, because the outcomes of attempts are recorded in this order.
    await cancelPending(tx, { channelPk, monitorPk }, "the channel was unbound from the monitor");
    await tx.db.delete(alertBindings).where(and(ofMonitor, eq(alertBindings.channelPk, channelPk)));
  }
  const rows = [...channelPks].map((channelPk) => ({ monitorPk, channelPk }));
  // Existing bindings keep the status in the last notification of the channel.
  if (rows.length > 0) await tx.db.insert(alertBindings).values(rows).onConflictDoNothing();
}

/** The IDs of the channels of a monitor, oldest first. */
export async function boundChannelIds(
  { db, tables: { alertBindings, alertChannels } }: Tx,
  monitorPk: number,
): Promise<string[]> {
  const rows = await db
    .select({ id: alertChannels.id })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, alertBindings.channelPk))
    .where(eq(alertBindings.monitorPk, monitorPk))
    .orderBy(alertChannels.pk);
  return rows.map(({ id }) => id);
}

/** The most IDs in one statement: a request may contain tens of thousands. */
const IDS_AT_ONCE = 500;

/**
 * The internal numbers of some channels, each once.
 *
 * @param field the name of the list in the request
 * @throws AppError `invalid` for an ID that is not a channel of the organization
 */
export async function findChannelPks(
  { db, tables: { alertChannels } }: Tx,
  { organizationPk, channelIds, field }: { organizationPk: number; channelIds: string[]; field: string },
): Promise<Set<number>> {
  const ids = [...new Set(channelIds)];
  const pks = new Map<string, number>();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = inArray(alertChannels.id, ids.slice(at, at + IDS_AT_ONCE));
    const rows = await db
      .select({ id: alertChannels.id, pk: alertChannels.pk })
      .from(alertChannels)
      .where(and(some, eq(alertChannels.organizationPk, organizationPk)));
    for (const { id, pk } of rows) pks.set(id, pk);
    const unknown = ids.slice(at, at + IDS_AT_ONCE).find((id) => !pks.has(id));
    if (unknown !== undefined) {
      const place = channelIds.indexOf(unknown);
      throw new AppError("invalid", `${field}.${place} is not an alert channel of this organization`);
    }
  }
  return new Set(ids.flatMap((id) => pks.get(id) ?? []));
}
