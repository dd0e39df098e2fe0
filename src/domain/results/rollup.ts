import { toTenths } from "../checks/latency-baseline.ts";
import { DAY, HOUR } from "../duration.ts";
import { countsAsDown, type Status } from "../monitors/status.ts";

/* There is a rollup for each hour and each day, in UTC (behavior 6.7). */

/** The start of the hour of a moment; both in milliseconds since 1970. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR) * HOUR;
}

/** The start of the UTC day of a moment; both in milliseconds since 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY) * DAY;
}

/** A period, in milliseconds since 1970. @property until exclusive; without it, the period has no end */
export interface Stretch {
  since: number;
  until?: number;
}

/** Results of one hour with one status. Latencies are in tenths of a millisecond. */
export interface Rollup {
  /** The start of the hour, in milliseconds since 1970. */
  hour: number;
  status: Status;
  /** 0 for results that do not count: then only their day is marked as one that has results. */
  count: number;
  /** How many results have a latency that counts. The following are about these. */
  latencyCount: number;
  latencySum: number;
  latencySquares: number;
  shortest: number | null;
  longest: number | null;
}

const NO_LATENCY = { latencyCount: 0, latencySum: 0, latencySquares: 0, shortest: null, longest: null };

/** The rollup of a result in a maintenance window: it counts neither for the uptime nor for the history (behavior 14.34). */
export function uncountedRollup({ status, createdAt }: { status: Status; createdAt: number }): Rollup {
  return { hour: hourOf(createdAt), status, count: 0, ...NO_LATENCY };
}

/**
 * The rollup of one result. Only latencies of results that do not lower the uptime count, neither as they are recorded nor by
 * what their check saw (behavior 11.7).
 */
export function rollupOf(
  { status, latencyMs, createdAt }: { status: Status; latencyMs: number | null; createdAt: number },
  seen: Status,
): Rollup {
  const hour = hourOf(createdAt);
  if (latencyMs === null || countsAsDown[status] || countsAsDown[seen])
    return { hour, status, count: 1, ...NO_LATENCY };
  const tenths = toTenths(latencyMs);
  return {
    hour,
    status,
    count: 1,
    latencyCount: 1,
    latencySum: tenths,
    latencySquares: tenths * tenths,
    shortest: tenths,
    longest: tenths,
  };
}

/** The rollup of the results of two rollups with the same hour and status. */
export function joinRollups(one: Rollup, other: Rollup): Rollup {
  return {
    hour: one.hour,
    status: one.status,
    count: one.count + other.count,
    latencyCount: one.latencyCount + other.latencyCount,
    latencySum: one.latencySum + other.latencySum,
    latencySquares: one.latencySquares + other.latencySquares,
    shortest: eitherOf(Math.min, one.shortest, other.shortest),
    longest: eitherOf(Math.max, one.longest, other.longest),
  };
}

function eitherOf(
  choose: (one: number, other: number) => number,
  one: number | null,
  other: number | null,
): number | null {
  return one === null || other === null ? (one ?? other) : choose(one, other);
}

/**
 * The latest results of a monitor that only this server checks, if they count, are of the same hour and have the same status. They
 * are stored with the state of the monitor, so that a check that changes nothing writes one row. They are not in the rollups
 * before they are folded into them. Then the rollups may already have the same hour and status: readers add both.
 */
export type OpenHour = Rollup;

/** @property folded what is added to the rollups now, in this order */
interface OpenHourStep {
  open: OpenHour | null;
  folded: readonly Rollup[];
}

const NOTHING: readonly Rollup[] = [];

/** Adds a result. Another hour or status, and a result that does not count, fold what was open. @param added its rollup */
export function addToOpenHour(open: OpenHour | null, added: Rollup): OpenHourStep {
  if (added.count === 0) return { open: null, folded: open ? [open, added] : [added] };
  if (!open) return { open: added, folded: NOTHING };
  if (open.hour !== added.hour || open.status !== added.status) return { open: added, folded: [open] };
  return { open: joinRollups(open, added), folded: NOTHING };
}
