import type { RecordingPlan } from "../../../domain/monitors/recording-plan.ts";
import type { Sql } from "../connections.ts";
import type { StoredSubject } from "./load-subjects.ts";

/** Saves a plan, within the transaction that loaded its subjects. @throws MissingPartition */
export async function savePlan(
  _sql: Sql,
  _subjects: ReadonlyMap<string, StoredSubject>,
  _plan: RecordingPlan,
): Promise<void> {
  throw new Error("not built yet");
}
