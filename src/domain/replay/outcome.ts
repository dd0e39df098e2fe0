import { iso, isoOrNull } from "../iso-time.ts";
import type { Status } from "../monitors/status.ts";

/** A figure; of a replay that is not exact, its bounds. */
export type Figure = number | Bounds;

export interface Bounds {
  min: number;
  max: number;
}

/**
 * @property notifications messages to channels, one for each
 * @property downSeconds how long the outages were that began in the range, in all, as far as they lie in it
 */
export interface ReplayCounts {
  outages: Figure;
  notifications: Figure;
  downSeconds: Figure;
}

export interface ReplayedOutage {
  monitorId: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Null while it continues. */
  endedAt: number | null;
  status: Status;
}

/** The outages and notifications that there would have been with other settings (behavior 25.2). Times are milliseconds since 1970. */
export interface ReplayOutcome {
  from: number;
  to: number;
  monitorCount: number;
  present: ReplayCounts;
  changed: ReplayCounts;
  /** By how much later the first channel is notified, over the outages that some channel is notified of both ways. */
  later: { medianSeconds: Figure; maxSeconds: Figure };
  /** Outages that would have been, of which no channel would have been notified. */
  missed: ReplayedOutage[];
  /** Outages that would not have been. */
  gone: ReplayedOutage[];
  /** Whether nothing depends on a check that was never made. */
  exact: boolean;
}

/** The most outages of each list. */
export const MAX_LISTED = 50;

/** An outcome as the API answers it: its times are texts. */
export function shownOutcome({ from, to, missed, gone, ...outcome }: ReplayOutcome) {
  const times = { from: iso(from), to: iso(to) };
  return { ...times, ...outcome, missed: missed.map(shownOutage), gone: gone.map(shownOutage) };
}

function shownOutage({ startedAt, endedAt, ...outage }: ReplayedOutage) {
  return { ...outage, startedAt: iso(startedAt), endedAt: isoOrNull(endedAt) };
}
