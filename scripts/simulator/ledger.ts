import type { AlertType } from "../../src/domain/alerts/alert-event.ts";
import type { DeliveryStatus } from "../../src/domain/alerts/delivery.ts";
import type { Hours, Windows } from "../../src/domain/alerts/hours.ts";
import type { NotifyOn } from "../../src/domain/alerts/notify.ts";
import type { Detail, Observation } from "../../src/domain/checks/observation.ts";
import type { DownWhen } from "../../src/domain/locations/location.ts";
import type { MonitorConfig, MonitorType } from "../../src/domain/monitors/monitor.ts";
import type { Status } from "../../src/domain/monitors/status.ts";
import type { ComponentStatus } from "../../src/domain/pages/component-status.ts";

/*
 * All times are true milliseconds since 1970, which a perfect clock shows, except if a name ends in `Wall`: those are
 * readings of the clock of the server.
 */

/** The hidden truth of one run, complete before the run starts. */
export interface Scenario {
  /** Whether a check starts only after a write to the database. */
  writesClaims?: boolean;
  /** How many server processes share the database, each with claims of its own; one that has it to itself if left out. */
  nodes?: number;
  seed: number;
  from: number;
  to: number;
  monitors: SimMonitor[];
  channels: SimChannel[];
  /** By `from`, or `at`. */
  faults: Fault[];
  /** `--retention-days` of the server; 90 if left out. */
  retentionDays?: number;
  /** The remote locations; none if left out. */
  locations?: SimLocation[];
  /** Whether monitors have what section 14 of docs/behavior is about: then its oracle judges them. */
  calm?: true;
  /** Whether `oracle/blind.ts` judges it: its DNS server dies alone. */
  blind?: true;
  /** Who is on call: then `oracle/on-call` judges it, and nothing else does. */
  onCall?: SimOnCall;
  /** Whether it has all of it together: then `oracle/whole` judges it, and nothing else does. */
  whole?: true;
  /** When a reader looks at the statuses and at the public page, by time; never if left out. */
  looks?: number[];
  /** Maintenances that exist from the start; none if left out. */
  maintenances?: SimMaintenance[];
  /** Requests of operators, by time; none if left out. */
  requests?: SimRequest[];
}

/**
 * - `sample`: what a check that starts at a time sees, and how long it takes. Only of probed types; it depends on nothing
 *   but the time.
 * - `segments`: the stretches of the truth, without gaps. Only of probed types.
 * - `checkins`: when the job calls, and with which status, by time. Only SCHEDULED.
 * - `starts`: when it reports that a run starts, by time; `hangs`: that never ends. Only SCHEDULED.
 * - `dead`: the stretches in which the job does not run although its rhythm says so. Only SCHEDULED.
 * - `plan`: every run that the job is to make: then `oracle/rhythms` judges it. Only SCHEDULED.
 * - `confirmations`, `recoveries`: 0 if left out.
 * - `places`: the names of its locations, `here` is the server; only `here` if left out.
 * - `dependsOn`: names of monitors.
 * - `patience`: `after`, `every` and the hours of its channels, by their names; 0 and all times if left out.
 */
export interface SimMonitor {
  name: string;
  type: MonitorType;
  config: MonitorConfig;
  channelNames: string[];
  confirmations?: number;
  recoveries?: number;
  places?: { names: string[]; downWhen: DownWhen };
  tags?: string[];
  dependsOn?: string[];
  patience?: Record<string, Patience>;
  /** The schedules that it notifies, by their names. */
  schedules?: Record<string, Patience>;
  sample?(startedAt: number): Sample;
  segments?: Segment[];
  checkins?: { at: number; status: "ok" | "fail"; rid?: string }[];
  starts?: { at: number; rid?: string; hangs?: true }[];
  dead?: { from: number; to: number }[];
  plan?: JobPlan;
}

/**
 * The runs of a job.
 *
 * @property runs by time. `at`: when it checks in; null if it is dead
 * @property regular the longest time between two runs that is no weekly pause; milliseconds
 * @property learnedAfter how long it teaches its rhythm before nothing about it is new; milliseconds
 * @property isLearned whether its config says nothing about its rhythm
 */
export interface JobPlan {
  runs: { due: number; at: number | null }[];
  regular: number;
  learnedAfter: number;
  isLearned: boolean;
}

/** When a channel is notified of a monitor; seconds. @property hours at all times if left out */
export interface Patience {
  after: number;
  every: number;
  hours?: Hours;
}

/** People who take turns. @property defaults names of the default channels */
export interface SimOnCall {
  people: { name: string; channels: string[]; isDisabled: boolean }[];
  schedules: SimSchedule[];
  defaults: string[];
}

/** People are their names. @property overrides in the order in which they are created */
export interface SimSchedule {
  name: string;
  timezone: string;
  layers: {
    people: string[];
    every: "day" | "week" | number;
    startsAt: number;
    hours?: { windows: Windows };
  }[];
  overrides: SimOverride[];
}

export interface SimOverride {
  person: string;
  startsAt: number;
  endsAt: number;
}

/**
 * A maintenance: either one window or those that a cron expression starts.
 *
 * @property name its title, unique in the scenario
 * @property notifies names of channels
 */
export interface SimMaintenance {
  name: string;
  selector: { monitors?: string[]; tags?: string[]; all?: true };
  window:
    | { startsAt: number; endsAt: number }
    | { cron: string; timezone?: string; duration: number; until?: number };
  notifies: string[];
}

/** A request of an operator. A request that needs an open outage or window has no effect without it. */
export type SimRequest = { at: number } & (
  | { kind: "acknowledge" | "take back" | "pause" | "resume"; monitor: string }
  | { kind: "depend"; monitor: string; on: string[] }
  | { kind: "edit"; monitor: string; changes: Pace }
  | { kind: "bind"; monitor: string; channels: string[] }
  | { kind: "delete"; monitor: string }
  | { kind: "apply"; edits: { monitor: string; changes: Pace }[] }
  | { kind: "create maintenance"; maintenance: SimMaintenance }
  | { kind: "end window" | "delete maintenance"; maintenance: string }
  | { kind: "disable person" | "enable person" | "delete person"; person: string }
  | { kind: "own channels"; person: string; channels: string[] }
  | { kind: "change layers"; schedule: string; layers: SimSchedule["layers"] }
  | { kind: "create override" | "delete override"; schedule: string; override: SimOverride }
);

/** How a monitor is checked. @property interval seconds @property maxRunTime seconds; only of a job */
export interface Pace {
  interval?: number;
  maxRunTime?: number;
  confirmations?: number;
  recoveries?: number;
}

/** The observation of one check. A target that hangs is observed as reason `timeout` after the timeout of the check. */
export interface Sample {
  observation: Observation;
  tookMs: number;
}

/** @property kind `good`, `slow`, `down`, or one of TLS and DNS */
export interface Segment {
  from: number;
  to: number;
  kind: string;
}

/** A remote location with a probe of its own. Its faults are by `from`. */
export interface SimLocation {
  name: string;
  faults: PlaceFault[];
}

/**
 * A fault of a location.
 *
 * - `partition`: what it and the server send each other is lost.
 * - `broken`: it reaches the server, but no target.
 * - `offline`: it reaches neither, nor the servers of its `--network-check`.
 * - `cut`: it reaches everything but one target.
 * - `kill`: its process dies at `from` and starts at `to`. `restart`: the same with a clean stop.
 */
export type PlaceFault =
  | { kind: "partition" | "broken" | "offline" | "kill" | "restart"; from: number; to: number }
  | { kind: "cut"; from: number; to: number; monitor: string };

/** A SLACK channel gets many notifications as one message. @property format of a WEBHOOK; the standard one if left out */
export interface SimChannel {
  name: string;
  type: "WEBHOOK" | "SLACK";
  format?: "pagerduty" | "alertmanager";
  notifyOn: NotifyOn;
  /** Without gaps. */
  receiver: ReceiverPhase[];
}

export interface ReceiverPhase {
  from: number;
  to: number;
  answers: "ok" | "temporary" | "permanent" | "hang" | "slow";
  retryAfterMs?: number;
}

/**
 * A fault of stillup, its machine or its network.
 *
 * - `stall`: the event loops stall. `suspend`: the monotonic clock too.
 * - `clock-step`: the wall clock is wrong by `byMs` from `from` until `to`.
 * - `kill`: the process dies at the `step`-th call of the store after `at`: before the call if `step` is odd, after its
 *   commit if it is even. With `call`, at the first call of this method within 15 s. It starts again after `downMs`.
 * - `restart`: a clean stop at `from`, a start at `to`.
 */
export type Fault =
  | { kind: "stall" | "suspend"; from: number; to: number }
  | { kind: "clock-step"; from: number; to: number; byMs: number }
  | {
      kind: "resolver-silent" | "no-descriptors" | "disk-full" | "locked" | "slow-disk" | "network-gone";
      from: number;
      to: number;
    }
  | { kind: "kill"; at: number; step: number; downMs: number; call?: string | undefined }
  | { kind: "restart"; from: number; to: number };

/** All events of one run: written by the world, judged by the oracle. */
export interface Ledger {
  scenario: Scenario;
  /** The IDs that the server gave, by name. */
  monitorIds: Map<string, string>;
  channelIds: Map<string, string>;
  personIds: Map<string, string>;
  scheduleIds: Map<string, string>;
  /** Every check that ended, or that the server cancelled. @property disturbed a fault of the server reached into it */
  checks: {
    monitor: string;
    startedAt: number;
    endedAt: number;
    observation: Observation;
    disturbed: boolean;
    cancelled?: true;
    /** The name of the remote location. */
    place?: string;
  }[];
  /** Every call of a job. @property accepted it was answered with 200 */
  checkins: { monitor: string; at: number; status: "ok" | "fail"; rid?: string; accepted: boolean }[];
  /** Every report of a job that a run starts. @property hangs the truth of it */
  starts: { monitor: string; at: number; rid?: string; hangs?: true; accepted: boolean }[];
  /** Every call of a receiver. */
  attempts: {
    channel: string;
    /** The `webhook-id`. */
    id: string;
    monitor: string;
    previousStatus: Status;
    status: Status;
    /** When the new status began, as the notification says. */
    sinceWall: number;
    reminder?: true;
    /** The key of the incident of PagerDuty that it begins, repeats or ends. */
    incident?: SimIncident;
    /** The first notification of the message, if it has several. Equal for all of them. */
    digest?: string;
    resultId: string;
    startedAt: number;
    endedAt: number;
    /** `lost`: the process died before it had an answer. The receiver may have taken the notification. */
    outcome: "delivered" | "temporary" | "permanent" | "timeout" | "lost";
  }[];
  /** Every call of a receiver that is about a maintenance. @property id the `webhook-id` */
  notices: { channel: string; id: string; type: AlertType; maintenance: string; startedAt: number }[];
  /** Every request of an operator. @property accepted whether it had an effect */
  requests: { request: SimRequest; from: number; to: number; accepted: boolean }[];
  /** Lives of the server processes. @property node the number of the node */
  lives: { node: number; from: number; to: number; end: "kill" | "stop" | "end" }[];
  /** From the database at the end, oldest first. */
  results: {
    monitor: string;
    status: Status;
    latencyMs: number | null;
    detail: Detail | null;
    createdAtWall: number;
  }[];
  deliveries: {
    id: string;
    /** Null for a reminder. */
    resultId: string | null;
    /** When it had been released to be sent: its first attempt, made or planned. Null if it was not. */
    releasedByWall: number | null;
    channel: string;
    monitor: string;
    previousStatus: Status;
    newStatus: Status;
    status: DeliveryStatus;
    attempts: number;
    createdAtWall: number;
  }[];
  /** The evidence of failures that is kept at the end. @property place the name of the remote location; null of the server itself */
  evidence: {
    monitor: string;
    place: string | null;
    status: Status;
    layer: string;
    summary: string;
    atWall: number;
  }[];
  /** Oldest first of each monitor. */
  outages: { monitor: string; startedAtWall: number; endedAtWall: number | null; status: Status }[];
  /** The statuses and pages that readers saw. */
  looks: Look[];
  /** The figures of the monthly reports at the end, summed up over the months, by monitor. */
  months: Map<string, { downMs: number; maintenanceMs: number; unknownMs: number; outages: number }>;
  /** Lives of the processes of remote locations. */
  placeLives: { place: string; from: number; to: number }[];
  /** `uptime` as the API shows it, by monitor. */
  uptimes: Map<string, string | null>;
  statuses: Map<string, Status>;
  /** Since when the API says at the end that nothing checks a monitor; null if it is checked. */
  blindSince: Map<string, unknown>;
}

/**
 * The statuses and the page that a reader saw between two moments.
 *
 * @property statuses by monitor; deleted ones are not in it
 * @property components of the public page, by monitor
 * @property outages that the page shows as lasting
 */
export interface Look {
  from: number;
  to: number;
  statuses: Map<string, Status>;
  components: Map<string, ComponentStatus>;
  outages: { monitor: string; isDown: boolean; startedAtWall: number }[];
}

/** A change of an incident that its receiver keeps. @property until when it ends by itself; never if left out */
export interface SimIncident {
  key: string;
  action: "trigger" | "resolve";
  until?: number;
}

/** An event or a value that the truth does not explain. */
export interface Violation {
  rule: string;
  at: number;
  monitor?: string;
  channel?: string;
  text: string;
}
