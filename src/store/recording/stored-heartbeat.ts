import {
  type HeartbeatState,
  type JobConfig,
  judgedAt,
  silentHeartbeat,
} from "../../domain/heartbeats/heartbeat.ts";
import type { MonitorConfig } from "../../domain/monitors/monitor.ts";

/**
 * The rhythm of a job as it is stored, besides the column `deadline`.
 *
 * @property ownDeadline the deadline, if the job is judged at another time, because a run is open
 */
export type StoredRhythm = Omit<HeartbeatState, "deadline"> & { ownDeadline?: number | null };

/** @property deadline when the job is judged next; null if it is not */
export interface StoredHeartbeat {
  deadline: number | null;
  /** Null before the first report of the job. */
  rhythm: StoredRhythm | null;
}

export function heartbeatOf({ deadline, rhythm }: StoredHeartbeat): HeartbeatState {
  const { ownDeadline = deadline, ...rest } = rhythm ?? (silentHeartbeat as StoredRhythm);
  return { ...silentHeartbeat, ...rest, deadline: ownDeadline };
}

export function storedHeartbeat(state: HeartbeatState, config: MonitorConfig): StoredHeartbeat {
  const { deadline: ownDeadline, ...rhythm } = state;
  if (rhythm.lastCheckinAt === null && !rhythm.runs) return { deadline: ownDeadline, rhythm: null };
  const deadline = judgedAt(state, config as JobConfig);
  return { deadline, rhythm: deadline === ownDeadline ? rhythm : { ...rhythm, ownDeadline } };
}
