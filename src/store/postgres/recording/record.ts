import { planRecording, type Recorded, type Recording } from "../../../domain/monitors/recording-plan.ts";
import { splitEvents } from "../../recording/event-batches.ts";
import type { Sql } from "../connections.ts";
import { loadSubjects, lockStates, type StoredSubject } from "./load-subjects.ts";
import { savePlan } from "./save-plan.ts";

/** @throws MissingPartition */
export async function record(sql: Sql, events: Recording[]): Promise<(Recorded | null)[]> {
  const batches = splitEvents(events);
  if (batches.length > 1) await lockStates(sql, [...new Set(events.map(({ monitorId }) => monitorId))]);
  const recorded: (Recorded | null)[] = [];
  for (const batch of batches) recorded.push(...(await recordBatch(sql, batch)));
  return recorded;
}

async function recordBatch(sql: Sql, events: Recording[]): Promise<(Recorded | null)[]> {
  const subjects = await loadSubjects(sql, new Map(events.map(({ monitorId, at }) => [monitorId, at])));
  const valid = events.filter((event) => holds(event, subjects.get(event.monitorId)));
  const plan = planRecording(subjects, valid);
  await savePlan(sql, subjects, plan);
  const recorded = new Map(valid.map((event, at) => [event, plan.recorded[at] ?? null]));
  return events.map((event) => recorded.get(event) ?? null);
}

/** Whether the claim of an event still decides on its slot. A claim that lapsed holds until another one is made. */
function holds({ claim, kind }: Recording, subject: StoredSubject | undefined): boolean {
  if (claim === undefined) return true;
  if (subject?.claim !== claim) return false;
  const { nextCheckAt, heartbeat } = subject.state;
  return subject.claimedSlot === (kind === "check" ? nextCheckAt : heartbeat.deadline);
}
