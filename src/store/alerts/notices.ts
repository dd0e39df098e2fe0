import { and, eq, sql } from "drizzle-orm";
import type { Notice } from "../../domain/alerts/alert-event.ts";
import { deliveryId } from "../ids.ts";
import type { Tx } from "../tx.ts";

/** A notice, and the organization that it is for. */
interface NewNotice {
  organizationPk: number;
  event: Notice;
}

/**
 * Creates one delivery of a notice for each enabled default channel of an organization, due now (behavior 13.60). It locks the
 * channels, so the caller writes the states of monitors before.
 *
 * @param now milliseconds since 1970
 */
export async function createNotices(tx: Tx, notice: NewNotice, now: number): Promise<void> {
  const channelPks = await listDefaultChannels(tx, notice.organizationPk);
  await createNoticesFor(tx, { ...notice, channelPks }, now);
}

/** Like `createNotices`, for the enabled ones of some channels. @property channelPks in any order, each once */
export async function createNoticesFor(
  tx: Tx,
  { channelPks, event }: Pick<NewNotice, "event"> & { channelPks: readonly number[] },
  now: number,
): Promise<void> {
  const { db, tables } = tx;
  // Recordings lock them in this order.
  for (const channelPk of channelPks.toSorted((one, other) => one - other)) {
    const channel = await lockEnabled(tx, channelPk);
    if (!channel) continue;
    await db.insert(tables.deliveries).values({
      ...channel,
      ...{ id: deliveryId(null), resultPk: null, monitorPk: null, event },
      ...{ status: "pending", nextAttemptAt: now, createdAt: now },
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
export async function lockEnabled({ db, tables }: Tx, pk: number) {
  const { alertChannels } = tables;
  const [channel] = await db
    .update(alertChannels)
    .set({ revision: sql`${alertChannels.revision}` })
    .where(and(eq(alertChannels.pk, pk), eq(alertChannels.enabled, true)))
    .returning({ channelPk: alertChannels.pk, channelId: alertChannels.id, channelType: alertChannels.type });
  return channel;
}
