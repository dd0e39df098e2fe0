import type { Detail } from "../../domain/checks/observation.ts";
import type { TlsFacts } from "../../domain/checks/tls-facts.ts";
import type { Location } from "../../domain/locations/location.ts";
import type { LatestObservation } from "../../domain/locations/place.ts";
import type { SuspicionProgress } from "../../domain/monitors/confirmation.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import type { Status } from "../../domain/monitors/status.ts";
import type { Bucket, HistoryItem } from "../../domain/results/history.ts";
import type { LatencyPoint, Percentiles } from "../../domain/results/latency-points.ts";
import type { Range } from "../../domain/results/range.ts";

import type { RunTime } from "./job-runs.ts";

/** The statistics of one monitor and its heartbeat. */
export interface MonitorReport {
  type: MonitorType;
  /** When its status last changed; null before its first result. Times are milliseconds since 1970. */
  since: number | null;
  /** Observations of the latest checks that do not change the status yet. */
  suspicion: SuspicionProgress | null;
  uptime: Record<Range, string | null>;
  /** The time of the latencies. @property step milliseconds from one point to the next one */
  stretch: { since: number; until: number; step: number };
  buckets: Bucket[];
  /** One item for each bucket. */
  history: HistoryItem[];
  latencies: LatencyPoint[];
  /** The percentiles of the checks of the stretch; null if only rollups of them were read, or if none has a latency. */
  percentiles: Percentiles | null;
  /** Only locations that have any; empty if only this server checks the monitor. */
  latencyByLocation: LocationLatencies[];
  /** Its locations in the order of their slots; empty if only this server checks it. */
  places: PlaceReport[];
  /**
   * The latency above which a check from this server is degraded, in milliseconds; null while too few checks show what is
   * normal, or if this server does not check it.
   */
  degradedAbove: number | null;
  /** The TLS that its checks saw last, for HTTP and TLS monitors; of several locations, what ends first. Null if none saw any. */
  tls: TlsFacts | null;
  /** The latest first. */
  outages: Outage[];
  /** The latest outages of the stretch. */
  troubles: Trouble[];
  /** The windows of maintenances in the stretch that contained the monitor. */
  windows: { start: number; end: number | null }[];
  lastCheckinAt: number | null;
  /** The learned time between two check-ins, in milliseconds; null before it is learned. */
  learnedPeriod: number | null;
  /** When a SCHEDULED monitor is late. */
  deadline: number | null;
  /** How long a run may take, in milliseconds; null if the job reports none, or before it is learned. */
  runLimit: number | null;
  /** How long the latest runs of a job took that have ended, at most 20; null if it reports none. */
  runs: { lastMs: number; medianMs: number; longestMs: number; points: RunTime[] } | null;
}

/** The latest observation of a location. @property latest null before its first check */
export interface PlaceReport extends Pick<Location, "id" | "name" | "state"> {
  isAtFault: boolean;
  latest: LatestObservation | null;
}

/** @property location its name */
export interface LocationLatencies {
  location: string;
  points: LatencyPoint[];
}

/** A stretch in which a monitor was in group warning or down. */
export interface Outage extends Trouble {
  id: string;
  /** The detail of its first result. */
  detail: Detail | null;
}

/** The time and the status of an outage. */
export interface Trouble {
  /** When the first check saw it, in milliseconds since 1970. */
  start: number;
  /** When it ended: at the first check that saw its end, or at a pause. Null while it continues. */
  end: number | null;
  /** The worst status so far. */
  status: Status;
}
