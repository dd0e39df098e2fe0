import { planReturn } from "../../../domain/locations/return.ts";
import { type PlannedVotes, planWithdrawal } from "../../../domain/locations/withdrawal.ts";
import type { RecordingSubject } from "../../../domain/monitors/recording-plan.ts";
import type { LocationChange, LocationQueries } from "../../engine-queries.ts";
import { listMonitorsAt } from "../../locations/monitor-locations.ts";
import { type ChangedLocation, notifyOf, storeFault, storeSilence } from "../../locations/watch.ts";
import { wantedFromNowhere } from "../../recording/event-batches.ts";
import type { Tx } from "../../tx.ts";
import type { Connections, Sql } from "../connections.ts";
import { loadSubjects } from "../recording/load-subjects.ts";
import { savePlan } from "../recording/save-plan.ts";

/** What the change of a vote changes of monitors. @param now milliseconds since 1970 */
type PlanVotes = (subjects: Iterable<RecordingSubject>, now: number) => PlannedVotes;

type Changes = Omit<LocationQueries, "findMarker">;

/** For work on all monitors of a location, in milliseconds: 10,000 take about two seconds. */
const ALL_MONITORS_WITHIN = 60_000;

/** The changes of the votes of locations. The row of the location is locked first, as recordings do. */
export function locationChanges({ mixed }: Pick<Connections, "mixed">): Changes {
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
    return mixed(async (sql, tx) => {
      const changed = await store(tx);
      if (!changed) return { isChanged: false, asksHere: false };
      const ids = await listMonitorsAt(tx, changed);
      const asksHere = await changeVotes(sql, { ids, plan, now });
      await notifyOf(tx, changed, now);
      return { isChanged: true, asksHere };
    }, ALL_MONITORS_WITHIN);
  }
}

/** How many monitors are in memory at once. */
const BATCH = 500;

/** @param ids in the order in which states are locked @returns whether this server is to check a monitor now */
async function changeVotes(
  sql: Sql,
  { ids, plan, now }: { ids: readonly string[]; plan: PlanVotes; now: number },
): Promise<boolean> {
  let asksHere = false;
  for (let at = 0; at < ids.length; at += BATCH) {
    const subjects = await loadSubjects(sql, wantedFromNowhere(now, ids.slice(at, at + BATCH)));
    const planned = plan(subjects.values(), now);
    await savePlan(sql, subjects, planned.plan);
    asksHere ||= planned.asksHere;
  }
  return asksHere;
}
