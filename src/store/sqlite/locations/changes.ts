import { planWithdrawal } from "../../../domain/locations/withdrawal.ts";
import type { LocationChange, LocationQueries } from "../../engine-queries.ts";
import { listMonitorsAt } from "../../locations/monitor-locations.ts";
import { type ChangedLocation, notifyOf, storeFault, storeSilence } from "../../locations/watch.ts";
import { wantedFromNowhere } from "../../recording/event-batches.ts";
import type { Tx } from "../../tx.ts";
import type { Connections } from "../connections.ts";
import type { Database } from "../open.ts";
import { loadSubjects } from "../recording/load-subjects.ts";
import { savePlan } from "../recording/save-plan.ts";

type Changes = Omit<LocationQueries, "findMarker">;

/** The changes of the votes of locations. */
export function locationChanges({
  writeWithoutSync,
  writer,
}: Pick<Connections, "writeWithoutSync" | "writer">): Changes {
  return {
    silence: (pk, now) =>
      change((tx) => storeSilence(tx, pk, { isSilent: true, now }), { hasVote: false, now }),
    reconnect: (pk, now) =>
      change((tx) => storeSilence(tx, pk, { isSilent: false, now }), { hasVote: true, now }),
    setAtFault: (place, isAtFault, now) =>
      change((tx) => storeFault(tx, place, { isAtFault, now }), { hasVote: !isAtFault, now }),
  };

  function change(
    store: (tx: Tx) => Promise<ChangedLocation | undefined>,
    { hasVote, now }: { hasVote: boolean; now: number },
  ): Promise<LocationChange> {
    return writeWithoutSync(async (tx) => {
      const changed = await store(tx);
      if (!changed) return { isChanged: false, asksHere: false };
      const ids = hasVote ? [] : await listMonitorsAt(tx, changed);
      const asksHere = await withdrawVote(writer, ids, now);
      await notifyOf(tx, changed, now);
      return { isChanged: true, asksHere };
    });
  }
}

/** Monitors that are changed in one turn of the event loop. */
const BATCH = 50;

/** Within a transaction. @returns whether this server is to check a monitor now */
async function withdrawVote(db: Database, ids: readonly string[], now: number): Promise<boolean> {
  let asksHere = false;
  for (let at = 0; at < ids.length; at += BATCH) {
    const subjects = loadSubjects(db, wantedFromNowhere(now, ids.slice(at, at + BATCH)));
    const planned = planWithdrawal(subjects.values(), now);
    savePlan(db, subjects, planned.plan);
    asksHere ||= planned.asksHere;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return asksHere;
}
