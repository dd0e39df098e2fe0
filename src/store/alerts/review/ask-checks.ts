import { and, eq, gt, inArray, isNull, or } from "drizzle-orm";
import { HERE } from "../../../domain/locations/location.ts";
import { soonest } from "../../../domain/locations/silence.ts";
import type { Tx } from "../../tx.ts";
import type { LoadedMonitor } from "./load-monitors.ts";

/**
 * Schedules a check of monitors now, by all locations that can. Their states are locked.
 *
 * @param restart whether to make a running check again, because it began too early
 * @param now milliseconds since 1970
 * @returns whether this server is to check one of them
 */
export async function askChecks(
  tx: Tx,
  monitors: readonly LoadedMonitor[],
  { restart, now }: { restart: boolean; now: number },
): Promise<boolean> {
  const { monitorStates } = tx.tables;
  const here = monitors.filter((monitor) => {
    const at = nextCheckHere(monitor);
    return at !== null && (soonest(at, now) === now || (restart && at < now));
  });
  const pks = here.map(({ pk }) => pk);
  if (pks.length > 0)
    await tx.db.update(monitorStates).set({ nextCheckAt: now }).where(inArray(monitorStates.monitorPk, pks));
  for (const monitor of monitors) await askRemote(tx, monitor, now);
  return pks.length > 0;
}

function nextCheckHere({ nextCheckAt, places }: LoadedMonitor): number | null {
  return !places || places.some(({ location }) => location === HERE) ? nextCheckAt : null;
}

/** A location without a state of the monitor has made no check yet, so its first one is due. */
async function askRemote({ db, tables: { locationStates } }: Tx, { pk, places }: LoadedMonitor, now: number) {
  const remote = (places ?? []).map(({ location }) => location).filter((location) => location !== HERE);
  if (remote.length === 0) return;
  const { monitorPk, location, recheckAt } = locationStates;
  await db
    .update(locationStates)
    .set({ recheckAt: now })
    .where(and(eq(monitorPk, pk), inArray(location, remote), or(isNull(recheckAt), gt(recheckAt, now))));
}
