import { planRecording, type Recorded, type Recording } from "../../../domain/monitors/recording-plan.ts";
import { splitEvents } from "../../recording/event-batches.ts";
import { commitWithoutSync } from "../durability.ts";
import type { Database } from "../open.ts";
import { loadSubjects } from "./load-subjects.ts";
import { savePlan } from "./save-plan.ts";

export async function record(db: Database, events: Recording[]): Promise<(Recorded | null)[]> {
  return commitWithoutSync(db, () => splitEvents(events).flatMap((batch) => recordBatch(db, batch)));
}

function recordBatch(db: Database, events: Recording[]): (Recorded | null)[] {
  const subjects = loadSubjects(db, new Map(events.map(({ monitorId, at }) => [monitorId, at])));
  const plan = planRecording(subjects, events);
  savePlan(db, subjects, plan);
  return plan.recorded;
}
