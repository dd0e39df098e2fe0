import { type PlannedVotes, planLostVote, planReturnedVote } from "../../domain/locations/silence.ts";
import type { RecordingSubject } from "../../domain/monitors/recording-plan.ts";
import type { LocationChange, LocationQueries } from "../engine-queries.ts";
import { wantedFromNowhere } from "../recording/event-batches.ts";
import { savePlan } from "../recording/record.ts";
import type { RecordingEngine } from "../recording/recording-engine.ts";
import type { StoredSubject } from "../recording/stored-subject.ts";
import type { Tx } from "../tx.ts";
import { listMonitorsAt } from "./monitor-locations.ts";
import { type ChangedLocation, notifyOf, storeFault, storeSilence } from "./watch.ts";

/**
 * How monitors change with a vote.
 *
 * @property ids of the monitors, in the order in which their states are locked
 * @property now milliseconds since 1970
 */
interface VoteChange {
  ids: readonly string[];
  plan: (subjects: Iterable<RecordingSubject>, now: number) => PlannedVotes;
  now: number;
}

/** Runs work in one transaction. */
type Transact = (work: (tx: Tx) => Promise<LocationChange>) => Promise<LocationChange>;

/** The changes of the votes of locations. The row of the location is locked first, as recordings do. */
export function voteChanges<Subject extends StoredSubject>(
  engine: RecordingEngine<Subject>,
  transact: Transact,
): LocationQueries {
  return {
    silence: (pk, now) =>
      change((tx) => storeSilence(tx, pk, { isSilent: true, now }), { plan: planLostVote, now }),
    reconnect: (pk, now) =>
      change((tx) => storeSilence(tx, pk, { isSilent: false, now }), {
        plan: (subjects) => planReturnedVote(subjects, pk, now),
        now,
      }),
    setAtFault: (place, isAtFault, now) =>
      change((tx) => storeFault(tx, place, { isAtFault, now }), {
        plan: isAtFault ? planLostVote : (subjects) => planReturnedVote(subjects, place.location, now),
        now,
      }),
  };

  function change(
    store: (tx: Tx) => Promise<ChangedLocation | undefined>,
    { plan, now }: Omit<VoteChange, "ids">,
  ): Promise<LocationChange> {
    return transact(async (tx) => {
      const changed = await store(tx);
      if (!changed) return { isChanged: false, asksHere: false };
      const ids = await listMonitorsAt(tx, changed);
      const asksHere = await changeVotes(tx, engine, { ids, plan, now });
      await notifyOf(tx, changed, now);
      return { isChanged: true, asksHere };
    });
  }
}

/** Loads the monitors, and saves the plan for them. @returns whether this server is to check one of them now */
async function changeVotes<Subject extends StoredSubject>(
  tx: Tx,
  engine: RecordingEngine<Subject>,
  { ids, plan, now }: VoteChange,
): Promise<boolean> {
  let asksHere = false;
  for (let at = 0; at < ids.length; at += engine.monitorsAtOnce) {
    const some = ids.slice(at, at + engine.monitorsAtOnce);
    const subjects = await engine.loadSubjects(tx, wantedFromNowhere(now, some));
    const planned = plan(subjects.values(), now);
    await savePlan(tx, engine, { subjects, plan: planned.plan });
    asksHere ||= planned.asksHere;
    // On SQLite, nothing else has run since the previous monitors.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return asksHere;
}
