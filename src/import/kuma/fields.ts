import { clamp } from "../untyped.ts";
import { numberOf, type Row } from "./data.ts";

/** The monitor for one of Uptime Kuma: a type with its config, and the parts that are not taken over. */
export interface Mapped {
  type: "HTTP" | "TCP" | "DNS" | "SCHEDULED";
  config: Record<string, unknown>;
  omitted: OmittedPart[];
  /** Sentences about it. */
  notes: string[];
  /** Whether it could only fail here, so that it is created paused. */
  isPaused?: boolean;
}

/** A part that is not taken over, such as `push token`. */
export interface OmittedPart {
  part: string;
  why: string;
}

/** Why a monitor cannot be taken over. */
export interface Refused {
  why: string;
  /** If stillup has no monitors of that type. */
  type?: string;
}

const MAX_INTERVAL = 86_400;
const MAX_TIMEOUT = 60;
const DEFAULT_INTERVAL = 60;

/** Seconds. */
export function intervalOf(row: Row): number {
  return clamp(1, Math.round(wantedInterval(row)), MAX_INTERVAL);
}

function wantedInterval(row: Row): number {
  return numberOf(row, "interval") || DEFAULT_INTERVAL;
}

/** Seconds. Uptime Kuma's own limit: the timeout of the monitor, or 80 % of its interval. */
export function timeoutOf(row: Row): number {
  return clamp(1, Math.floor(wantedTimeout(row)), Math.min(MAX_TIMEOUT, intervalOf(row)));
}

function wantedTimeout(row: Row): number {
  const timeout = numberOf(row, "timeout") ?? 0;
  return timeout > 0 ? timeout : Math.floor(Math.max(1, wantedInterval(row) * 0.8));
}

/** Reports an interval that a monitor can't have. */
export function omittedInterval(row: Row): OmittedPart[] {
  const [wanted, interval] = [wantedInterval(row), intervalOf(row)];
  if (wanted === interval) return [];
  const range = `whole seconds, 1 to ${MAX_INTERVAL}`;
  return [{ part: "interval", why: `it is ${wanted} s; ${range} are possible: it is ${interval} s here` }];
}

/** Reports an interval and a timeout that a monitor can't have. */
export function omittedTimes(row: Row): OmittedPart[] {
  const [wanted, timeout] = [wantedTimeout(row), timeoutOf(row)];
  if (wanted === timeout) return omittedInterval(row);
  const range = `whole seconds, up to ${MAX_TIMEOUT} and the interval`;
  const why = `it is ${wanted} s; ${range} are possible: it is ${timeout} s here`;
  return [...omittedInterval(row), { part: "timeout", why }];
}
