import {
  type HeartbeatState,
  type JobConfig,
  judgedAt,
  silentHeartbeat,
} from "../../domain/heartbeats/heartbeat.ts";
import type { JobRuns } from "../../domain/heartbeats/job-runs.ts";
import type { CheckinHistory, Gap } from "../../domain/heartbeats/learned-period.ts";
import type { MonitorConfig } from "../../domain/monitors/monitor.ts";

/**
 * The rhythm of a job as it is stored, besides the column `deadline`.
 *
 * @property ownDeadline the deadline, if the job is judged at another time, because a run is open
 */
export type StoredRhythm = Omit<HeartbeatState, "deadline" | "gaps" | "runs"> & {
  gaps: StoredGap[];
  runs?: StoredRuns;
  ownDeadline?: number | null;
};

type StoredRuns = Omit<JobRuns, "starts"> & {
  starts: Omit<CheckinHistory, "gaps"> & { gaps: StoredGap[] };
};

/** Almost all gaps are regular, and are stored as their length: each report of the job reads and writes all of them. */
type StoredGap = number | Gap;

/** @property deadline when the job is judged next; null if it is not */
export interface StoredHeartbeat {
  deadline: number | null;
  /** Null before the first report of the job. */
  rhythm: StoredRhythm | null;
}

export function heartbeatOf({ deadline, rhythm }: StoredHeartbeat): HeartbeatState {
  if (!rhythm) return { ...silentHeartbeat, deadline };
  const { ownDeadline = deadline, gaps, runs, ...rest } = rhythm;
  return {
    ...silentHeartbeat,
    ...rest,
    gaps: gaps.map(gapOf),
    ...(runs && { runs: { ...runs, starts: { ...runs.starts, gaps: runs.starts.gaps.map(gapOf) } } }),
    deadline: ownDeadline,
  };
}

export function storedHeartbeat(state: HeartbeatState, config: MonitorConfig): StoredHeartbeat {
  const { deadline: ownDeadline, gaps, runs, ...rest } = state;
  if (rest.lastCheckinAt === null && !runs) return { deadline: ownDeadline, rhythm: null };
  const deadline = judgedAt(state, config as JobConfig);
  const rhythm = {
    ...rest,
    gaps: gaps.map(storedGap),
    ...(runs && { runs: { ...runs, starts: { ...runs.starts, gaps: runs.starts.gaps.map(storedGap) } } }),
    ...(deadline !== ownDeadline && { ownDeadline }),
  };
  return { deadline, rhythm };
}

function gapOf(gap: StoredGap): Gap {
  return typeof gap === "number" ? { length: gap, kind: "regular" } : gap;
}

function storedGap(gap: Gap): StoredGap {
  return gap.kind === "regular" ? gap.length : gap;
}
