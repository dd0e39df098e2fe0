import { type DownStretch, downFor, downPart } from "../outages/down-part.ts";
import { longFrom, type MeasuredOutage } from "./outage-length.ts";

/** An outage with the stretches in which its monitor was down. */
export interface ViewedOutage extends MeasuredOutage {
  downs: readonly DownStretch[];
}

/**
 * How a page shows an outage (behavior 15.26): as down if the part that was down is longer than `minOutage`, else as degraded.
 *
 * @property startedAt when the shown part began @property changedAt since when it is shown like this
 * @property lengthMs how long the shown part has lasted
 * @property downUntil when it was last down, if the outage continues without being down; otherwise null
 */
export interface OutageView {
  isDown: boolean;
  startedAt: number;
  changedAt: number;
  lengthMs: number;
  downUntil: number | null;
}

/** When the part of an outage that was down becomes longer than `minOutage`: infinite if it is not. @param minOutage seconds */
export function longDownFrom(outage: ViewedOutage, minOutage: number): number {
  const { startedAt, windowEndsAt, downs } = outage;
  if (windowEndsAt === null) return Number.POSITIVE_INFINITY;
  return downFor(downs, { from: Math.max(startedAt, windowEndsAt ?? startedAt), ms: minOutage * 1000 + 1 });
}

/** @param minOutage seconds @param now milliseconds since 1970 */
export function viewOf(outage: ViewedOutage, minOutage: number, now: number): OutageView {
  const { startedAt, endedAt, downs } = outage;
  const to = endedAt ?? now;
  const downFrom = longDownFrom(outage, minOutage);
  const down = downFrom <= to ? downPart(downs, { to }) : null;
  if (!down) {
    const changedAt = longFrom(outage, minOutage);
    return { isDown: false, startedAt, changedAt, lengthMs: to - startedAt, downUntil: null };
  }
  const downUntil = endedAt === null ? (downs.at(-1)?.to ?? null) : null;
  return { isDown: true, startedAt: down.since, changedAt: downFrom, lengthMs: down.ms, downUntil };
}
