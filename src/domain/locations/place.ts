import type { Memory } from "../checks/judge.ts";
import type { Baseline } from "../checks/latency-baseline.ts";
import type { Status } from "../monitors/status.ts";
import type { DownWhen } from "./location.ts";

/** The locations of a monitor that is not checked only from this server. */
export interface Places {
  downWhen: DownWhen;
  /** Since when its present config is checked from its present locations, in milliseconds since 1970. */
  since: number;
  /** In the order of their slots. */
  list: readonly Place[];
}

/** A location as one of those that check a monitor: whether it has a vote. For the location itself, see `Location`. */
export interface Place {
  /** Its number; `HERE` is this server. */
  location: number;
  name: string;
  /** Whether it is connected. This server always is. */
  isLive: boolean;
  /** Whether it alone sees everything fail, so that its own network is at fault (behavior 13.17). */
  isAtFault: boolean;
}

/** What the checks of a monitor from one location leave for the next one. */
export interface PlaceState {
  memory: Memory | null;
  baseline: Baseline;
  /** The first hour of the baseline. */
  baselineStart: number;
  /** Null before the first check, and after the config or the locations of the monitor changed. */
  latest: LatestObservation | null;
  /**
   * When a check outside of the slots is due, in milliseconds since 1970; null if none is. Only for remote locations: this
   * server has `nextCheckAt`.
   */
  recheckAt: number | null;
}

/** What the latest check from a location saw. */
export interface LatestObservation {
  status: Status;
  /** When the check ended, in milliseconds since 1970. */
  at: number;
  latencyMs: number | null;
  reason?: string;
  message?: string;
  /** When the first check after the latest gap ended (`isAfterGap`), in milliseconds since 1970; missing if there was none. */
  resumedAt?: number;
  /** On the present side of the boundary between healthy and warning. */
  trouble: Run;
  /** On the present side of the boundary between warning and down. */
  down: Run;
}

/** How many checks in a row saw the same side of a boundary, and when the first of them ended. */
export interface Run {
  checks: number;
  since: number;
}
