import { clamp } from "../untyped.ts";
import { numberOf, type Row } from "./data.ts";

/** The monitor for one of Uptime Kuma: a type with its config, and the parts that are not taken over. */
export interface Mapped {
  type: "HTTP" | "TCP" | "DNS" | "SCHEDULED";
  config: Record<string, unknown>;
  omitted: OmittedPart[];
  /** Sentences about it. */
  notes: string[];
}

/** A part that is not taken over, such as `push token`. */
export interface OmittedPart {
  part: string;
  why: string;
}

/** Why a monitor cannot be taken over. */
export interface Refused {
  why: string;
}

const MAX_INTERVAL = 86_400;
const DEFAULT_INTERVAL = 60;

/** Seconds. */
export function intervalOf(row: Row): number {
  const interval = Math.round(numberOf(row, "interval") ?? 0) || DEFAULT_INTERVAL;
  return clamp(1, interval, MAX_INTERVAL);
}

/** Seconds. Uptime Kuma's own limit: the timeout of the monitor, or 80 % of its interval. */
export function timeoutOf(row: Row): number {
  const interval = intervalOf(row);
  const timeout = numberOf(row, "timeout") ?? 0;
  return clamp(1, Math.floor(timeout > 0 ? timeout : interval * 0.8), Math.min(60, interval));
}

/** Reports an interval that is longer than a monitor can have. */
export function omittedInterval(row: Row): OmittedPart[] {
  const interval = numberOf(row, "interval") ?? 0;
  if (interval <= MAX_INTERVAL) return [];
  return [{ part: "interval", why: `it is ${interval} s, and the longest here is ${MAX_INTERVAL} s` }];
}
