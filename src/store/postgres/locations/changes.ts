import { type VoteChange, voteChanges } from "../../locations/vote-changes.ts";
import { wantedFromNowhere } from "../../recording/event-batches.ts";
import type { Sql } from "../../tx.ts";
import type { Connections } from "../connections.ts";
import { loadSubjects } from "../recording/load-subjects.ts";
import { savePlan } from "../recording/save-plan.ts";

/** For work on all monitors of a location, in milliseconds: 10,000 take about two seconds. */
const ALL_MONITORS_WITHIN = 60_000;

export function locationChanges({ transaction }: Pick<Connections, "transaction">) {
  return voteChanges((work) =>
    transaction((tx) => work(tx, (change) => changeVotes(tx, change)), ALL_MONITORS_WITHIN),
  );
}

/** How many monitors are in memory at once. */
const BATCH = 500;

/** @returns whether this server is to check a monitor now */
async function changeVotes(sql: Sql, { ids, plan, now }: VoteChange): Promise<boolean> {
  let asksHere = false;
  for (let at = 0; at < ids.length; at += BATCH) {
    const subjects = await loadSubjects(sql, wantedFromNowhere(now, ids.slice(at, at + BATCH)));
    const planned = plan(subjects.values(), now);
    await savePlan(sql, subjects, planned.plan);
    asksHere ||= planned.asksHere;
  }
  return asksHere;
}
