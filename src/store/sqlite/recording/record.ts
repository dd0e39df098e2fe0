import { planRecording, type Recorded, type Recording } from "../../../domain/monitors/recording-plan.ts";
import { hourOf } from "../../../domain/results/rollup.ts";
import { commitWithoutSync } from "../durability.ts";
import type { Database } from "../open.ts";
import { loadSubjects } from "./load-subjects.ts";
import { savePlan } from "./save-plan.ts";

export async function record(db: Database, events: Recording[]): Promise<(Recorded | null)[]> {
  return commitWithoutSync(db, () => splitByHour(events).flatMap((batch) => recordBatch(db, batch)));
}

function recordBatch(db: Database, events: Recording[]): (Recorded | null)[] {
  const subjects = loadSubjects(db, new Map(events.map(({ monitorId, at }) => [monitorId, at])));
  const plan = planRecording(subjects, events);
  savePlan(db, subjects, plan);
  return plan.recorded;
}

/** Batches in which all events of one monitor are of the same hour, because its baseline is loaded for one hour. */
function splitByHour(events: Recording[]): Recording[][] {
  const batches: Recording[][] = [];
  let batch: Recording[] = [];
  let hours = new Map<string, number>();
  for (const event of events) {
    const hour = hourOf(event.at);
    if ((hours.get(event.monitorId) ?? hour) !== hour) {
      batches.push(batch);
      [batch, hours] = [[], new Map()];
    }
    hours.set(event.monitorId, hour);
    batch.push(event);
  }
  return [...batches, batch];
}
