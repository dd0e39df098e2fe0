import type { StoredSubject as Subject } from "../../recording/stored-subject.ts";
import type { Sql } from "../connections.ts";

/** A monitor as it was before a batch. Its state is locked until the transaction ends. */
export interface StoredSubject extends Subject {
  /** The fencing number of the latest claim, and the slot that it is for: see `schema.ts`. */
  claim: number;
  claimedSlot: number | null;
  /** When the latest result was made; null without results. */
  lastResultAt: number | null;
  /** The time of the database at which it was loaded. Times are milliseconds since 1970. */
  loadedAt: number;
}

/**
 * Locks the states of the monitors of a batch of events, then loads the monitors, by ID. Deleted monitors are left out.
 *
 * The lock protects all rows that recordings write for these monitors: location states, outages, rollups and details.
 *
 * @param times the time of an event of each monitor: its baseline is the one of that hour
 */
export async function loadSubjects(
  _sql: Sql,
  _times: ReadonlyMap<string, number>,
): Promise<Map<string, StoredSubject>> {
  throw new Error("not built yet");
}
