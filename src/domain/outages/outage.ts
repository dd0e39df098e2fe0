import type { ShownCause } from "../causes/causes.ts";
import type { Detail } from "../checks/observation.ts";
import type { Why } from "../evidence/evidence.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import { isDown, type Status } from "../monitors/status.ts";

/** A stretch in which a monitor is in group warning or down (behavior 14.53). Times are milliseconds since 1970. */
export interface Outage {
  id: string;
  monitor: { id: string; name: string; type: MonitorType };
  /** The worst so far. */
  status: Status;
  /** The reason of the first result; null if it had none. */
  reason: string | null;
  startedAt: number;
  /** Null while it continues. */
  endedAt: number | null;
  /** This and `acknowledgedBy`, the name of the key, are null if it is not acknowledged. */
  acknowledgedAt: number | null;
  acknowledgedBy: string | null;
  note: string | null;
  /** ID of the maintenance in whose window it began, which may be deleted; null if it began in none. */
  maintenanceId: string | null;
  /** The stretches in which the monitor was in group down, the first one first. */
  downs: DownStretch[];
  /** The layer and the summary of its oldest evidence whose layer is known; null without one. */
  why: Why | null;
  /** The cause that it shares with other outages; null if none is known, or it was refuted. */
  cause: ShownCause | null;
}

/** @property detail of the first result; only its reason after that result was deleted; null if it had none */
export interface OutageWithDetail extends Outage {
  detail: Detail | null;
}

/** A stretch of an outage in which its monitor was in group down. Times are milliseconds since 1970; `to` is null while it lasts. */
export interface DownStretch {
  from: number;
  to: number | null;
}

/** The part of an outage in which its monitor was down. @property since when it first was @property ms how long it was, in all */
interface DownPart {
  since: number;
  ms: number;
}

/**
 * The stretches of an outage, as they are stored, without stretches that overlap. Versions without stretches, also if they run
 * beside this version, neither begin nor end any: without a stretch, an outage counts by its worst status; a stretch that was not
 * ended lasts until the next stretch.
 *
 * @param stored of the outage, the first one first
 */
export function downsOf(
  { status, startedAt, endedAt }: { status: Status; startedAt: number; endedAt: number | null },
  stored: readonly DownStretch[],
): DownStretch[] {
  if (stored.length === 0) return isDown[status] ? [{ from: startedAt, to: endedAt }] : [];
  return stored.map(({ from, to }, at) => {
    const end = to ?? endedAt;
    const next = stored[at + 1]?.from ?? null;
    return { from, to: end === null || next === null ? (end ?? next) : Math.min(end, next) };
  });
}

/**
 * The part of an outage that lies between two moments (behavior 14.53).
 *
 * @param stretches of the outage, the first one first
 * @param to the end of the outage, or now
 * @returns null if the monitor was not down
 */
export function downPart(
  stretches: readonly DownStretch[],
  { from = Number.NEGATIVE_INFINITY, to }: { from?: number; to: number },
): DownPart | null {
  const within = stretches
    .map((one) => ({ from: Math.max(from, one.from), to: Math.min(to, one.to ?? to) }))
    .filter((one) => one.from <= one.to);
  const [first] = within;
  return first ? { since: first.from, ms: within.reduce((sum, one) => sum + one.to - one.from, 0) } : null;
}

/**
 * When a monitor has been down for a time in all.
 *
 * @param ms how long it must have been down
 * @returns milliseconds since 1970; infinite if it is not down for that long by now, nor will be while it stays as it is
 */
export function downFor(
  stretches: readonly DownStretch[],
  { from, ms }: { from: number; ms: number },
): number {
  let left = ms;
  for (const stretch of stretches) {
    const begin = Math.max(from, stretch.from);
    if (stretch.to === null || stretch.to - begin >= left) return begin + left;
    left -= Math.max(0, stretch.to - begin);
  }
  return Number.POSITIVE_INFINITY;
}

/** The findings of the checks before, in and after an outage. */
export interface OutageReport {
  /** The detail of the first result. */
  detail: Detail | null;
  /** The latest healthy check before the outage; null if there is none any more. */
  lastGood: SeenByCheck | null;
  /** The latest check of the outage that saw trouble; null if there is none any more. */
  lastFailing: SeenByCheck | null;
  /** The checks around the outage, oldest first. Empty for a type without latencies. */
  checks: Omit<SeenByCheck, "detail">[];
}

/** @property at milliseconds since 1970 */
export interface SeenByCheck {
  at: number;
  status: Status;
  latencyMs: number | null;
  detail: Detail | null;
}

/** How many intervals before an outage, from its start and after its end count as around it. */
const INTERVALS = 60;

interface Stretch {
  from: number;
  to: number;
}

/**
 * The stretches around an outage, the first one first: before it, its beginning, and after it.
 *
 * @param interval of the checks, in milliseconds
 */
export function stretchesAround(
  { startedAt, endedAt }: { startedAt: number; endedAt: number | null },
  interval: number,
): Stretch[] {
  const length = INTERVALS * interval;
  const beginning = {
    from: startedAt,
    to: Math.min(startedAt + length, endedAt ?? Number.POSITIVE_INFINITY),
  };
  const after = endedAt === null ? [] : [{ from: endedAt, to: endedAt + length }];
  return [{ from: startedAt - length, to: startedAt }, beginning, ...after];
}
