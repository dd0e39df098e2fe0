import type { MonitorType } from "../../src/domain/monitors/monitor.ts";

/*
 * The logs of a run, which are all that the checker knows. Every time is in milliseconds since 1970 of the clock of this
 * machine, which is also the clock of the database.
 */

export interface Span {
  from: number;
  to: number;
}

/** Faults of a node. */
export const NODE_FAULTS = ["kill", "stop", "end", "delay", "cut", "black-hole", "clock"] as const;
/** Faults of the database. */
export const DATABASE_FAULTS = ["terminate", "restart", "crash"] as const;

/**
 * - `kill`: SIGKILL, and another start
 * - `stop`: SIGSTOP for longer than any lease, and SIGCONT
 * - `end`: SIGTERM, and another start
 * - `delay`: each packet between the node and the database takes longer
 * - `cut`: its connections to the database are reset, and new ones refused
 * - `black-hole`: its packets are kept, and arrive after the fault
 * - `clock`: the clock of the node is set to another hour
 * - `terminate`: the database ends all connections
 * - `restart`: the database stops cleanly and starts
 * - `crash`: the database stops at once, without a checkpoint, and recovers
 */
export type FaultKind = (typeof NODE_FAULTS)[number] | (typeof DATABASE_FAULTS)[number];

/** @property to when the node or the database works again @property node null: the database, and so every node */
export interface Fault extends Span {
  kind: FaultKind;
  node: number | null;
}

/**
 * @property interval milliseconds, of checks
 * @property timeout milliseconds, of a check
 * @property window milliseconds from a check-in to its deadline; only SCHEDULED
 * @property channels names of its channels
 */
export interface LoggedMonitor {
  name: string;
  id: string;
  type: MonitorType;
  interval: number;
  timeout: number;
  window: number;
  channels: string[];
  /** When the request to create it was answered. */
  createdAt: number;
}

/** A check-in that a job sent. @property answeredAt null: without 200, so nobody knows whether it is recorded */
export interface SentCheckin {
  status: "ok" | "fail";
  sentAt: number;
  answeredAt: number | null;
}

/** A request that a receiver got. @property id of the delivery (`webhook-id`) @property to when it was answered */
export interface Attempt extends Span {
  channel: string;
  id: string;
  resultId: string;
  monitor: string;
  status: string;
  accepted: boolean;
}

/** @property took milliseconds from the start of the check until `createdAt`, as far as the result says */
export interface StoredResult {
  id: string;
  status: string;
  createdAt: number;
  took: number;
  alertTriggered: boolean;
  reason?: string | undefined;
}

export interface StoredDelivery {
  id: string;
  resultId: string;
  monitor: string;
  previousStatus: string;
  newStatus: string;
  status: "pending" | "delivered" | "failed";
}

export interface NodeView {
  node: string;
  /** By name of the monitor. */
  statuses: Record<string, string>;
  /** By name of the monitor: the ID of the latest result. */
  latest: Record<string, string | null>;
}

export interface Log {
  /** From the creation of the last monitor until no check was started any more. */
  whole: Span;
  nodes: number;
  monitors: LoggedMonitor[];
  /** By name of the monitor: when a check arrived at its target. Targets that refuse connections don't know. */
  arrivals: Record<string, number[]>;
  /** By name of the monitor: when its target was down, or its job silent. */
  outages: Record<string, Span[]>;
  checkins: Record<string, SentCheckin[]>;
  attempts: Attempt[];
  /** When the process of the targets was late itself. */
  stalls: Span[];
  faults: Fault[];
  /** By name of the monitor, in the order of their IDs, oldest first. */
  results: Record<string, StoredResult[]>;
  /** By name of the channel, in the order of the commits, oldest first. */
  deliveries: Record<string, StoredDelivery[]>;
  /** The view of each node at the end. */
  views: NodeView[];
}
