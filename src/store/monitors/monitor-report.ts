import type { Detail, TlsFacts } from "../../domain/checks/observation.ts";
import type { Location } from "../../domain/locations/location.ts";
import type { LatestObservation } from "../../domain/locations/place.ts";
import type { SeenDown } from "../../domain/locations/votes.ts";
import type { SuspicionProgress } from "../../domain/monitors/confirmation.ts";
import type { Monitor, MonitorType } from "../../domain/monitors/monitor.ts";
import type { Attendance, StandingCounts } from "../../domain/monitors/standing.ts";
import type { Status } from "../../domain/monitors/status.ts";
import type { Filters, Sort } from "../../domain/overview/selection.ts";
import type { Bucket, HistoryItem } from "../../domain/results/history.ts";
import type { LatencyPoint, Percentiles } from "../../domain/results/latency-points.ts";
import type { Range } from "../../domain/results/range.ts";
import { organizationPk } from "../accounts/organizations.ts";
import type { Sql } from "../tx.ts";
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
  /** The percentiles of the checks of the stretch; null unless each of the latencies has its own. */
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

/** @property end ISO 8601 */
export interface CertificateExpiry {
  name: string;
  end: string;
}

const LIST = `SELECT monitors.name, details.text FROM monitors
  JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  JOIN details ON details.pk = monitor_states.last_detail_pk
  WHERE monitors.organization_pk = $1 AND monitors.type = 'TLS' AND monitors.enabled`;

/** The expiry of the certificate that the latest check of each enabled TLS monitor of an organization saw. */
export async function listCertificateExpiries(
  sql: Sql,
  organizationId: string,
): Promise<CertificateExpiry[]> {
  const rows = await sql.query<{ name: string; text: string }>(LIST, [
    await organizationPk(sql, organizationId),
  ]);
  return rows.flatMap(expiriesOf);
}

/** @param text the detail of the latest result, in JSON @returns none if the check saw no certificate */
function expiriesOf({ name, text }: { name: string; text: string }): CertificateExpiry[] {
  const { validTo } = JSON.parse(text);
  return typeof validTo === "string" ? [{ name, end: validTo }] : [];
}

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
