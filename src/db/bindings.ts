import { and, eq } from "drizzle-orm";
import { AppError } from "../errors.ts";
import type { Queries } from "./open.ts";
import { alertBindings, alertChannels } from "./schema.ts";

/**
 * Gives a monitor these channels and no others; a repeated one counts once.
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
  const channelPks = new Set(channelIds.map((id, at) => channelPk(tx, organizationPk, id, at)));
  tx.delete(alertBindings).where(eq(alertBindings.monitorPk, monitorPk)).run();
  for (const pk of channelPks) tx.insert(alertBindings).values({ monitorPk, channelPk: pk }).run();
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

function channelPk(tx: Queries, organizationPk: number, id: string, at: number): number {
  const row = tx
    .select({ pk: alertChannels.pk })
    .from(alertChannels)
    .where(and(eq(alertChannels.id, id), eq(alertChannels.organizationPk, organizationPk)))
    .get();
  if (!row)
    throw new AppError("invalid", `alertChannelIds.${at} is not an alert channel of this organization`);
  return row.pk;
}
