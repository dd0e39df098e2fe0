import { invalid, notFound } from "../../errors.ts";
import { ask } from "../maintenance/ask-at-end.ts";
import type { Tx } from "../tx.ts";
import { oneMonitor } from "./monitors.ts";

/**
 * Schedules a check of a monitor now, by all of its locations (behavior 16.247). A check that is due already stays as it is, so that at most
 * one is pending.
 *
 * @param now milliseconds since 1970
 * @throws AppError `not_found`, then `invalid` for a monitor that is paused or that a job reports
 */
export async function requestCheck(
  tx: Tx,
  organizationId: string,
  id: string,
  now: number,
): Promise<{ id: string }> {
  const { monitors } = tx.tables;
  const { pk, organizationPk, tags, locations, type, enabled } = monitors;
  const [monitor] = await tx.db
    .select({ pk, id: monitors.id, organizationPk, tags, locations, type, enabled })
    .from(monitors)
    .where(await oneMonitor(tx, organizationId, id));
  if (!monitor) throw notFound();
  if (monitor.type === "SCHEDULED") throw invalid("a SCHEDULED monitor is not checked: its job checks in");
  if (!monitor.enabled) throw invalid("the monitor is paused: resume it first");
  await tx.lockStates([monitor.pk]);
  await ask(tx, [monitor], now);
  return { id };
}
