import type { MonitorType } from "../monitors/monitor.ts";
import type { RecordedCheck } from "../monitors/recording-plan.ts";
import { bySeverity, type Status } from "../monitors/status.ts";
import { HERE } from "./location.ts";
import type { LatestObservation, Places } from "./place.ts";
import { LARGEST_SKEW } from "./protocol.ts";

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
  return latest !== null && at <= latest.at && latest.at <= receivedAt + LARGEST_SKEW;
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
