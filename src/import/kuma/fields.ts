import { numberOf, type Row } from "./data.ts";

/** What a monitor of Uptime Kuma becomes: a type with its config, and what of it has no place here, by part. */
export interface Taken {
  type: "HTTP" | "TCP" | "DNS" | "SCHEDULED";
  config: Record<string, unknown>;
  left: { part: string; why: string }[];
  /** What to know about it. */
  notes: string[];
}

/** Why a monitor cannot be taken over. */
export interface Refused {
  why: string;
}

const LONGEST_INTERVAL = 86_400;
const DEFAULT_INTERVAL = 60;

/** Seconds. */
export function intervalOf(row: Row): number {
  const interval = Math.round(numberOf(row, "interval") ?? 0) || DEFAULT_INTERVAL;
  return Math.min(Math.max(interval, 1), LONGEST_INTERVAL);
}

/** Uptime Kuma's own limit, in seconds: that of the monitor, or 80 % of its interval. */
export function timeoutOf(row: Row): number {
  const interval = intervalOf(row);
  const timeout = numberOf(row, "timeout") ?? 0;
  return Math.min(Math.max(Math.floor(timeout > 0 ? timeout : interval * 0.8), 1), 60, interval);
}

/** What is not taken over of any monitor's interval. */
export function leftOfInterval(row: Row): Taken["left"] {
  const interval = numberOf(row, "interval") ?? 0;
  if (interval <= LONGEST_INTERVAL) return [];
  return [{ part: "interval", why: `it is ${interval} s, and the longest here is ${LONGEST_INTERVAL} s` }];
}
