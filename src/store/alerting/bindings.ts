import { and, eq } from "drizzle-orm";
import { AppError } from "../../errors.ts";
import type { Queries } from "../sqlite/open.ts";
import { alertBindings, alertChannels } from "../sqlite/schema.ts";
import { cancelPending } from "./delivery-cancellation.ts";

/**
 * Gives a monitor these channels and no others; a repeated one counts once. What waits to be told of this monitor to a
 * channel that is no longer bound ends as failed.
 *
 * @throws AppError `invalid` for one that is no channel of the organization
 */
export function bindChannels(
  tx: Queries,
  {
    monitorPk,
    organizationPk,
    channelIds,
  }: { monitorPk: number; organizationPk: number; channelIds: string[] },
): void {
  const channelPks = findChannelPks(tx, { organizationPk, channelIds, field: "alertChannelIds" });
  const its = eq(alertBindings.monitorPk, monitorPk);
  for (const { channelPk } of tx.select().from(alertBindings).where(its).all()) {
    if (channelPks.has(channelPk)) continue;
    tx.delete(alertBindings)
      .where(and(its, eq(alertBindings.channelPk, channelPk)))
      .run();
    cancelPending(tx, { channelPk, monitorPk }, "the channel was unbound from the monitor");
  }
  // Those that are there stay, with what they know.
  for (const channelPk of channelPks)
    tx.insert(alertBindings).values({ monitorPk, channelPk }).onConflictDoNothing().run();
}

export function boundChannelIds(tx: Queries, monitorPk: number): string[] {
  return tx
    .select({ id: alertChannels.id })
    .from(alertBindings)
    .innerJoin(alertChannels, eq(alertChannels.pk, alertBindings.channelPk))
    .where(eq(alertBindings.monitorPk, monitorPk))
    .orderBy(alertChannels.pk)
    .all()
    .map(({ id }) => id);
}

/**
 * The inner numbers of some channels, each once.
 *
 * @param field where the IDs stand in the request
 * @throws AppError `invalid` for one that is no channel of the organization
 */
export function findChannelPks(
  tx: Queries,
  { organizationPk, channelIds, field }: { organizationPk: number; channelIds: string[]; field: string },
): Set<number> {
  const pks = new Map<string, number>();
  for (const [at, id] of channelIds.entries()) {
    // A body has room for tens of thousands of repetitions.
    if (pks.has(id)) continue;
    const its = and(eq(alertChannels.id, id), eq(alertChannels.organizationPk, organizationPk));
    const row = tx.select({ pk: alertChannels.pk }).from(alertChannels).where(its).get();
    if (!row) throw new AppError("invalid", `${field}.${at} is not an alert channel of this organization`);
    pks.set(id, row.pk);
  }
  return new Set(pks.values());
}
