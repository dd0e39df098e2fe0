import type { Baseline } from "../../domain/checks/latency-baseline.ts";
import type { MonitorState, PlannedResult, Recording } from "../../domain/monitors/recording-plan.ts";
import type { NewRollup, StoredBaseline } from "../results/hour-columns.ts";
import type { ResultRow } from "../results/result-items.ts";
import type { Tx } from "../tx.ts";
import type { EvidenceParts } from "./save-evidence.ts";
import type { StoredSubject, StoredSubjects } from "./stored-subject.ts";

/** A stored result. @property status its code */
export type SavedResult = ResultRow & { organizationPk: number };

/**
 * The parts of a monitor to load.
 *
 * @property at the baselines are computed for the hour of this moment
 * @property from the numbers of the locations whose baselines are needed
 */
export interface Wanted {
  at: number;
  from: ReadonlySet<number>;
}

/** A location of a monitor whose baseline is to be computed. @property now milliseconds since 1970 */
export interface WantedBaseline {
  pk: number;
  location: number;
  stored: StoredBaseline;
  now: number;
}

/**
 * The parts of a recording that differ between the engines, because they are frequent: SQLite changes one row at a time, and
 * PostgreSQL all rows of a batch. Each runs within the transaction of the recording.
 */
export interface RecordingEngine<Subject extends StoredSubject = StoredSubject> {
  /** The same for all recordings of the process. */
  evidence: EvidenceParts;
  /** How many monitors are in memory at once if a change concerns many. */
  monitorsAtOnce: number;
  /** Locks the states of monitors, in an order that prevents deadlocks. */
  lockStates(tx: Tx, monitorIds: readonly string[]): Promise<void>;
  /** Locks the states of some monitors, then loads the monitors, by ID. Deleted monitors are left out. */
  loadSubjects(tx: Tx, wanted: ReadonlyMap<string, Wanted>): Promise<Map<string, Subject>>;
  /** The baselines of some locations, by `baselineKey`: see `currentBaseline`. */
  loadBaselines(tx: Tx, wanted: readonly WantedBaseline[]): Promise<ReadonlyMap<string, Baseline>>;
  /** The events whose claim still holds, and those without a claim. Absent if nothing is claimed. */
  withValidClaim?(tx: Tx, events: Recording[], subjects: ReadonlyMap<string, Subject>): Promise<Recording[]>;
  /** @returns the rows in the order of the results @throws MissingPartition */
  saveResults(
    tx: Tx,
    subjects: StoredSubjects<Subject>,
    results: readonly PlannedResult[],
  ): Promise<SavedResult[]>;
  addToRollups(tx: Tx, rollups: readonly NewRollup[]): Promise<void>;
  /** Saves the states of monitors, and of their locations. */
  saveStates(tx: Tx, saved: SavedStates<Subject>, states: ReadonlyMap<string, MonitorState>): Promise<void>;
}

/**
 * @property results of the plan, as they were saved
 * @property openOutages the number of the open outage of each monitor whose outages changed, by its ID; null if it has none now
 */
export interface SavedStates<Subject extends StoredSubject> {
  subjects: StoredSubjects<Subject>;
  planned: readonly PlannedResult[];
  results: readonly SavedResult[];
  openOutages: ReadonlyMap<string, number | null>;
}

/** For maps by location of a monitor. */
export function baselineKey({ pk, location }: Pick<WantedBaseline, "pk" | "location">): string {
  return `${pk} ${location}`;
}
