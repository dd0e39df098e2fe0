import { and, eq } from "drizzle-orm";
import { acceptContents } from "../../domain/checks/watched-content.ts";
import { ask } from "../maintenance/ask-at-end.ts";
import type { TimedTx } from "../tx.ts";

/**
 * Makes the contents usual that the checks of a monitor saw in an outage, at each of its locations, and lets them check at once
 * (behavior 26.115). The state of the monitor is locked. Most monitors watch no content: then nothing changes.
 *
 * @param outage that is acknowledged
 */
export async function acceptSeen(
  tx: TimedTx,
  { monitorPk, startedAt }: { monitorPk: number; startedAt: number },
): Promise<void> {
  const { locationStates } = tx.tables;
  const { monitorPk: ofState, location: place, memory: stored } = locationStates;
  const ofMonitor = eq(ofState, monitorPk);
  const rows = await tx.db.select({ place, stored }).from(locationStates).where(ofMonitor);
  const accepted = rows.flatMap(({ place: location, stored: before }) => {
    const memory = before && acceptContents(before, startedAt);
    return memory === before ? [] : [{ location, memory }];
  });
  for (const { location, memory } of accepted)
    await tx.db
      .update(locationStates)
      .set({ memory })
      .where(and(ofMonitor, eq(place, location)));
  if (accepted.length > 0) await askMonitor(tx, monitorPk);
}

async function askMonitor(tx: TimedTx, monitorPk: number): Promise<void> {
  const { monitors } = tx.tables;
  const { pk, id, organizationPk, tags, locations, enabled } = monitors;
  const found = await tx.db
    .select({ pk, id, organizationPk, tags, locations })
    .from(monitors)
    .where(and(eq(pk, monitorPk), eq(enabled, true)));
  await ask(tx, found);
}
