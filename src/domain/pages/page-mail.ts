import type { IncidentStatus } from "./incident.ts";

/** An outage of a component that became longer than `minOutage`, or that ended after that. */
export interface OutageNotice {
  kind: "outage";
  component: string;
  isDown: boolean;
  /** When it became degraded, or, if `isDown`, when it was first down. */
  startedAt: number;
  /** Null while it continues. */
  endedAt: number | null;
  /** Milliseconds for which it was degraded or, if `isDown`, down. Absent while it continues, and in messages of earlier versions. */
  lengthMs?: number;
}

/** A window of a maintenance that started or ended. */
export interface MaintenanceNotice {
  kind: "maintenance";
  title: string;
  message: string | null;
  components: string[];
  startedAt: number;
  /** The end of the window: expected, or, if `isOver`, when it ended. Null if it is not known. */
  endsAt: number | null;
  isOver: boolean;
}

/** A notice of the page watch. */
export type PageNotice = OutageNotice | MaintenanceNotice;

export interface IncidentNotice {
  kind: "incident";
  title: string;
  /** The latest one; null for an incident without updates. */
  update: { status: IncidentStatus; body: string } | null;
  components: string[];
  at: number;
}

/** The content of an e-mail to a subscriber; its links are added when it is sent. Times are milliseconds since 1970. */
export type PageMail =
  | { kind: "optIn" }
  | IncidentNotice
  | PageNotice
  /** The first of several notices at the same time. @property count how many in all */
  | { kind: "several"; notices: PageNotice[]; count: number };
