import type { Detail } from "../checks/observation.ts";
import type { MonitorConfig, MonitorType } from "../monitors/monitor.ts";
import type { Status } from "../monitors/status.ts";
import type { ChannelType } from "./channel.ts";

export type DeliveryStatus = "pending" | "delivered" | "failed";

/** One change of a monitor's status, as it is told to a channel: the state of things when it happened. */
export interface Transition {
  organization: { id: string; name: string };
  monitor: { id: string; name: string; type: MonitorType; config: MonitorConfig };
  previousStatus: Status;
  status: Status;
  result: { id: string; latencyMs: number | null; detail: Detail | null; createdAt: number };
  /** When the previous status began. */
  since?: number;
  /** When the trouble began that goes on, or ends with this. */
  troubleSince?: number;
  /** Of the last healthy check before, where it had one. */
  lastGoodLatencyMs?: number;
}

/**
 * What one attempt at a delivery came to.
 *
 * @property answer what the receiver said, in its code and at most a word: `404 no_service`. Never its own text, which
 *   may repeat a secret
 * @property retryAfterMs what the receiver asked for, if it did
 */
export type DeliveryAttempt =
  | { outcome: "delivered"; answer?: string }
  | { outcome: "failed"; error: string; final: boolean; answer?: string; retryAfterMs?: number };

/** What is known of the notification to one channel; `alertOutcome` of the interface holds one for each. */
export interface ChannelOutcome {
  channelId: string;
  type: ChannelType;
  status: DeliveryStatus;
  attempts: number;
  error: string | null;
  deliveredAt: number | null;
}

export interface AlertOutcome {
  status: DeliveryStatus | "partial";
  channels: ChannelOutcome[];
}

/** All that is known of one notification to one channel. */
export interface DeliveryRecord {
  id: string;
  resultId: string;
  monitor: { id: string; name: string; type: MonitorType };
  previousStatus: Status;
  newStatus: Status;
  status: DeliveryStatus;
  attempts: number;
  firstAttemptAt: number | null;
  lastAttemptAt: number | null;
  /** Null once it is delivered or given up. */
  nextAttemptAt: number | null;
  deliveredAt: number | null;
  /** What the receiver said last (see `Attempt`), where it said anything. */
  answer: string | null;
  error: string | null;
  createdAt: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The wait before each further attempt, after the one before (decisions 3). */
const RETRY_DELAYS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
const LONGEST_RETRY_AFTER = 60 * MINUTE;

/**
 * When to try again after a failed attempt.
 *
 * @param attempts how many have been made, this one included
 * @returns milliseconds since 1970, or null when it is given up
 */
export function nextAttemptAt(
  attempt: DeliveryAttempt & { outcome: "failed" },
  attempts: number,
  now: number,
): number | null {
  const delay = RETRY_DELAYS[attempts - 1];
  if (attempt.final || delay === undefined) return null;
  return now + Math.max(delay, Math.min(attempt.retryAfterMs ?? 0, LONGEST_RETRY_AFTER));
}

/** The outcome over all channels of one result. */
export function summarizeOutcome(channels: ChannelOutcome[]): AlertOutcome {
  return { status: overall(new Set(channels.map((channel) => channel.status))), channels };
}

function overall(statuses: Set<DeliveryStatus>): AlertOutcome["status"] {
  if (statuses.has("pending")) return "pending";
  if (statuses.size > 1) return "partial";
  return statuses.has("delivered") ? "delivered" : "failed";
}
