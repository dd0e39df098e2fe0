import type { Detail } from "../../domain/checks/observation.ts";
import type { SeenDown } from "../../domain/locations/votes.ts";
import type { Monitor } from "../../domain/monitors/monitor.ts";
import type { Attendance, StandingCounts } from "../../domain/monitors/standing.ts";
import type { Status } from "../../domain/monitors/status.ts";
import type { Filters, Sort } from "../../domain/overview/selection.ts";
import type { HistoryItem } from "../../domain/results/history.ts";
import type { Range } from "../../domain/results/range.ts";

export interface LatestResult {
  status: Status;
  latencyMs: number | null;
  createdAt: number;
}

export interface UptimeAndHistory {
  /** Over the trailing 90 days, for every range. */
  uptime: string | null;
  history: HistoryItem[];
}

/** A monitor with its uptime and history (behavior 7.35). */
export interface EnrichedMonitor extends Monitor, UptimeAndHistory {
  /** Null if there is none within the range. */
  latestResult: LatestResult | null;
}

/** The current state of a monitor. */
export interface MonitorSnapshot extends Monitor {
  pk: number;
  /** When its status last changed; null before its first result. */
  since: number | null;
  latest: LatestResult | null;
  /** Detail of the latest check, if the monitor is in trouble. */
  detail: Detail | null;
  /** How many of its locations see it down, if it is not down; null if none does, or if only this server checks it. */
  seenDown: SeenDown | null;
  /** Only if a range was given. */
  past?: UptimeAndHistory;
}

export interface Listing {
  /** The range of the uptime and history; without it, they are left out. */
  range?: Range | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

/** Which monitors, and in which order. */
export interface MonitorSelection extends Listing {
  /** The maximum number. */
  most: number;
  /** How many of the first ones are left out. */
  skip?: number;
  filters?: Filters | undefined;
  /** Only these monitors. */
  ids?: ReadonlySet<string> | undefined;
  /** Default: the worst first. */
  sort?: Sort | undefined;
  attendance: Attendance;
}

/** Numbers of all monitors of an organization. */
export interface MonitorCounts {
  counts: StandingCounts;
  tags: ReadonlyMap<string, number>;
  /** How many the selection has. */
  matching: number;
}

export interface WorstMonitors extends MonitorCounts {
  standings: MonitorSnapshot[];
}
