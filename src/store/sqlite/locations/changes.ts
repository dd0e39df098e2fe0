import { planReturn } from "../../../domain/locations/return.ts";
import { type PlannedVotes, planWithdrawal } from "../../../domain/locations/withdrawal.ts";
import type { RecordingSubject } from "../../../domain/monitors/recording-plan.ts";
import type { LocationChange, LocationQueries } from "../../engine-queries.ts";
import { listMonitorsAt } from "../../locations/monitor-locations.ts";
import { type ChangedLocation, notifyOf, storeFault, storeSilence } from "../../locations/watch.ts";
import { wantedFromNowhere } from "../../recording/event-batches.ts";
import type { Tx } from "../../tx.ts";
import type { Connections } from "../connections.ts";
import type { Database } from "../open.ts";
import { loadSubjects } from "../recording/load-subjects.ts";
import { savePlan } from "../recording/save-plan.ts";

/** What the change of a vote changes of monitors. @param now milliseconds since 1970 */
type PlanVotes = (subjects: Iterable<RecordingSubject>, now: number) => PlannedVotes;

type Changes = Omit<LocationQueries, "findMarker">;

/** The changes of the votes of locations. */
export function locationChanges({
  writeWithoutSync,
  writer,
}: Pick<Connections, "writeWithoutSync" | "writer">): Changes {
  return {
    silence: (pk, now) =>
      change((tx) => storeSilence(tx, pk, { isSilent: true, now }), { plan: planWithdrawal, now }),
    reconnect: (pk, now) =>
      change((tx) => storeSilence(tx, pk, { isSilent: false, now }), {
        plan: (subjects) => planReturn(subjects, { location: pk, wasAtFault: false }, now),
        now,
      }),
    setAtFault: (place, isAtFault, now) =>
      change((tx) => storeFault(tx, place, { isAtFault, now }), {
        plan: isAtFault
          ? planWithdrawal
          : (subjects) => planReturn(subjects, { location: place.location, wasAtFault: true }, now),
        now,
      }),
  };

  function change(
    store: (tx: Tx) => Promise<ChangedLocation | undefined>,
    { plan, now }: { plan: PlanVotes; now: number },
  ): Promise<LocationChange> {
    return writeWithoutSync(async (tx) => {
      const changed = await store(tx);
      if (!changed) return { isChanged: false, asksHere: false };
      const ids = await listMonitorsAt(tx, changed);
      const asksHere = await changeVotes(writer, { ids, plan, now });
      await notifyOf(tx, changed, now);
      return { isChanged: true, asksHere };
    });
  }
}

/** Monitors that are changed in one turn of the event loop. */
const BATCH = 50;

/** Within a transaction. @returns whether this server is to check a monitor now */
async function changeVotes(
  db: Database,
  { ids, plan, now }: { ids: readonly string[]; plan: PlanVotes; now: number },
): Promise<boolean> {
  let asksHere = false;
  for (let at = 0; at < ids.length; at += BATCH) {
    const subjects = loadSubjects(db, wantedFromNowhere(now, ids.slice(at, at + BATCH)));
    const planned = plan(subjects.values(), now);
    savePlan(db, subjects, planned.plan);
    asksHere ||= planned.asksHere;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return asksHere;
}
