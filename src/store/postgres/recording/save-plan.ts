import type { RecordingPlan } from "../../../domain/monitors/recording-plan.ts";
import { recoveredMonitors } from "../../recording/plan-effects.ts";
import { findSubject, type StoredSubjects } from "../../recording/stored-subject.ts";
import type { Sql } from "../../tx.ts";
import { addToRollups } from "../results/rollups.ts";
import { scheduleReviewOfDependents } from "./dependents.ts";
import type { StoredSubject } from "./load-subjects.ts";
import { saveDeliveries } from "./save-deliveries.ts";
import { saveLocations } from "./save-locations.ts";
import { saveOutages } from "./save-outages.ts";
import { saveResults, saveStatusChanges } from "./save-results.ts";
import { saveRuns } from "./save-runs.ts";
import { saveStates } from "./save-states.ts";

/**
 * Saves a plan, within the transaction that loaded its subjects, with a number of statements that does not depend on the
 * size of the plan.
 *
 * @throws MissingPartition
 */
export async function savePlan(
  sql: Sql,
  subjects: StoredSubjects<StoredSubject>,
  plan: RecordingPlan,
): Promise<void> {
  const results = await saveResults(sql, subjects, plan.results);
  await addToRollups(sql, plan.rollups, (monitorId) => findSubject(subjects, monitorId).pk);
  const resultPks = results.map(({ pk }) => pk);
  await saveStatusChanges(sql, { subjects, resultPks }, plan.results);
  const { openOutages, opened } = await saveOutages(sql, { subjects, results }, plan.outages);
  await saveStates(sql, { subjects, results, outagePks: openOutages }, plan.states);
  await saveLocations(sql, subjects, plan.states);
  await saveRuns(sql, subjects, plan);
  await saveDeliveries(sql, { subjects, resultPks, opened }, plan);
  await scheduleReviewOfDependents(sql, recoveredMonitors(subjects, plan));
}
