import { type VoteChange, voteChanges } from "../../locations/vote-changes.ts";
import { wantedFromNowhere } from "../../recording/event-batches.ts";
import type { Connections } from "../connections.ts";
import type { Database } from "../open.ts";
import { loadSubjects } from "../recording/load-subjects.ts";
import { savePlan } from "../recording/save-plan.ts";

export function locationChanges({
  writeWithoutSync,
  writer,
}: Pick<Connections, "writeWithoutSync" | "writer">) {
  return voteChanges((work) => writeWithoutSync((tx) => work(tx, (change) => changeVotes(writer, change))));
}

/** Monitors that are changed in one turn of the event loop. */
const BATCH = 50;

/** Within a transaction. @returns whether this server is to check a monitor now */
async function changeVotes(db: Database, { ids, plan, now }: VoteChange): Promise<boolean> {
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
