import type { MonitorType } from "../../../src/domain/monitors/monitor.ts";

/** The course of a target in a run. */
export const COURSES = ["steady", "falls", "recovers"] as const;
/**
 * `steady`: healthy throughout. `falls`: down from the middle of the fault until long after it. `recovers`: down from
 * before the fault until its middle.
 */
export type Course = (typeof COURSES)[number];

export interface Target {
  /** Also the name of its monitor. */
  name: string;
  type: MonitorType;
  course: Course;
}

/** To the process of the targets. */
export type Order =
  | { listen: { address: string; targets: Target[]; period: number } }
  | { up: string[] }
  | { down: string[] }
  | { dns: "answers" | "drops" }
  | { checkins: Record<string, string> }
  | { report: true };

/** From the process of the targets. */
export type Answer = { listening: Listening } | { report: Report } | { done: true };

export interface Listening {
  dnsPort: number;
  receiverUrl: string;
  /** By name, of targets that have a port. */
  ports: Record<string, number>;
}

/** Times are milliseconds since 1970 of an undisturbed clock. */
export interface Report {
  /** By name: when the target was down. The last one may not have ended. */
  outages: Record<string, Span[]>;
  /** By name: the requests of a job. */
  attempts: Record<string, number[]>;
  /** Whether every job has checked in at least once. */
  haveCheckedIn: boolean;
  notifications: Notification[];
  /** When this process itself was late, so that a target may have been slow. */
  stalls: Span[];
}

export interface Span {
  from: number;
  to: number;
}

export interface Notification {
  /** `webhook-id` */
  id: string;
  /** When it was received. */
  at: number;
  monitor: string;
  status: string;
  resultId: string;
  /** As the server says, in milliseconds since 1970. */
  createdAt: number;
}
