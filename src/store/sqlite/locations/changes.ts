import { planWithdrawal } from "../../../domain/locations/withdrawal.ts";
import type { LocationChange, LocationQueries } from "../../engine-queries.ts";
import { listMonitorsAt } from "../../locations/monitor-locations.ts";
import { type ChangedLocation, storeFault, storeSilence } from "../../locations/watch.ts";
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
    silence: (pk, now) => withdraw((tx) => storeSilence(tx, pk, { isSilent: true, now }), now),
    reconnect: (pk, now) => change((tx) => storeSilence(tx, pk, { isSilent: false, now })),
    setAtFault: (place, isAtFault, now) =>
      isAtFault
        ? withdraw((tx) => storeFault(tx, place, { isAtFault, now }), now)
        : change((tx) => storeFault(tx, place, { isAtFault, now })),
  };

  function change(store: (tx: Tx) => Promise<ChangedLocation | undefined>): Promise<LocationChange> {
    return writeWithoutSync(async (tx) => ({
      isChanged: (await store(tx)) !== undefined,
      asksHere: false,
    }));
  }

  function withdraw(
    store: (tx: Tx) => Promise<ChangedLocation | undefined>,
    now: number,
  ): Promise<LocationChange> {
    return writeWithoutSync(async (tx) => {
      const changed = await store(tx);
      if (!changed) return { isChanged: false, asksHere: false };
      return {
        isChanged: true,
        asksHere: await withdrawVote(writer, await listMonitorsAt(tx, changed), now),
      };
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
