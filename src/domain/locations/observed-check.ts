import { baselineStart } from "../checks/latency-baseline.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import { judgeEvent, type NewResult, statusByLatency } from "../monitors/monitor-event.ts";
import type { MonitorState, RecordedCheck, RecordingSubject } from "../monitors/recording-plan.ts";
import { bySeverity, type Status } from "../monitors/status.ts";
import { HERE } from "./location.ts";
import type { LatestObservation, Place, PlaceState, Places } from "./place.ts";
import { MAX_SKEW } from "./protocol.ts";
import { newPlaceState } from "./recheck.ts";

/** A monitor that is not checked only from this server. */
export type PlacedSubject = RecordingSubject & { places: Places };

export function isPlaced(subject: RecordingSubject): subject is PlacedSubject {
  return subject.places !== null;
}

/** A check of one location, judged with what this location has seen before (behavior 13.5). */
export interface ObservedCheck {
  subject: PlacedSubject;
  event: RecordedCheck;
  place: Place;
  /** The monitor before the check. */
  before: MonitorState;
  /** The location before the check. */
  own: PlaceState;
  seen: NewResult;
  judged: Pick<PlaceState, "memory" | "baseline">;
}

/** @returns null if the monitor is not checked from the location of the check */
export function observe(
  subject: PlacedSubject,
  before: MonitorState,
  event: RecordedCheck,
): ObservedCheck | null {
  const { type, config, enabled, places } = subject;
  const place = places.list.find(({ location }) => location === (event.location ?? HERE));
  if (!place) return null;
  const own = before.places?.get(place.location) ?? newPlaceState(baselineStart(receivedAt(event)));
  const { memory, baseline } = own;
  const status = statusByLatency(own.latest?.status ?? "unknown", own.latest?.reason);
  const judged = judgeEvent({ ...before, type, config, enabled, status, memory, baseline }, event);
  const [seen] = judged.results;
  return seen ? { subject, event, place, before, own, seen, judged } : null;
}

/** Milliseconds since 1970. */
export function receivedAt(event: RecordedCheck): number {
  return event.receivedAt ?? event.at;
}

/**
 * Whether a check is too old to change the status: it ended more than two intervals ago, or before the latest one of its
 * location (behavior 13.8). Checks of this server are recorded in their order.
 *
 * @param latest of the location
 * @param interval seconds
 */
export function isLate(
  { location = HERE, at, receivedAt = at }: Pick<RecordedCheck, "location" | "at" | "receivedAt">,
  latest: LatestObservation | null,
  interval: number,
): boolean {
  if (location === HERE) return false;
  if (receivedAt - at > 2 * interval * 1000) return true;
  // After the clock was set back, the latest one may seem to be in the future.
  return latest !== null && at <= latest.at && latest.at <= receivedAt + MAX_SKEW;
}

/** The status with which a late result enters the history. @param seen what its check saw */
export function statusOfLate(
  { type, places }: { type: MonitorType; places: Places },
  { statusThen }: Pick<RecordedCheck, "statusThen">,
  seen: Status,
): Status {
  return places.list.length === 1 ? seen : (statusThen ?? healthyStatus(type));
}

function healthyStatus(type: MonitorType): Status {
  return bySeverity(type).at(-1) ?? "unknown";
}
