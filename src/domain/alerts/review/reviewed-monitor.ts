import type { Suspicion } from "../../monitors/confirmation.ts";
import type { MonitorConfig, MonitorType } from "../../monitors/monitor.ts";
import { groupOf, levelOf, type Status } from "../../monitors/status.ts";
import { patienceOf } from "./dependencies.ts";
import type { Ancestor, Checked, ReviewedMonitor, ReviewedOutage } from "./pair.ts";

/** A monitor of a review, or one that it depends on, as it is stored. Times are milliseconds since 1970. */
export interface StoredMonitor {
  pk: number;
  id: string;
  type: MonitorType;
  config: MonitorConfig;
  enabled: boolean;
  confirmations: number;
  recoveries: number;
  status: Status;
  troubleSince: number | null;
  suspicion: Suspicion | null;
  /** Of the open outage. */
  outageId: string | null;
  latestAt: number | null;
  /** Those that can check it; null if only this server does. */
  places: readonly { latestAt: number | null; latestStatus: Status | null }[] | null;
}

/** A stored monitor as the plan of a review needs it. @param ancestors the nearest first */
export function reviewedMonitor(
  monitor: StoredMonitor,
  ancestors: readonly StoredMonitor[],
  { outage, windowEndsAt }: { outage: ReviewedOutage | null; windowEndsAt: number | null },
): ReviewedMonitor {
  const { enabled, status, troubleSince, config, recoveries } = monitor;
  const isBetter = (seen: Status) => levelOf(seen) < levelOf(status);
  const check = checksOf(monitor, { isOther: isBetter, patience: patienceOf(config, recoveries) });
  return {
    ...{ enabled, status, troubleSince, outage, windowEndsAt, check },
    ancestors: ancestors.map(ancestorOf),
  };
}

function ancestorOf(monitor: StoredMonitor): Ancestor {
  const { pk, id, status, enabled, outageId, config, confirmations } = monitor;
  const isDown = enabled && status !== "unknown" && groupOf(status) === "down";
  const cause = isDown && outageId !== null ? { monitorId: id, outageId } : null;
  const seesDown = (seen: Status) => groupOf(seen) === "down" && !isDown;
  const check = checksOf(monitor, { isOther: seesDown, patience: patienceOf(config, confirmations) });
  return { pk, cause, check };
}

/**
 * The checks of a monitor; null if there are none.
 *
 * @property isOther whether a check that saw this status awaits the confirmation of a change
 */
function checksOf(
  { type, enabled, suspicion, latestAt, places }: StoredMonitor,
  { isOther, patience }: { isOther: (seen: Status) => boolean; patience: number },
): Checked | null {
  if (!enabled || type === "SCHEDULED") return null;
  if (!places) {
    const isSuspected = suspicion?.checks.some(({ status }) => isOther(status)) ?? false;
    return { latestAt, isSuspected, patience };
  }
  if (places.length === 0) return null;
  const times = places.map((place) => place.latestAt);
  return {
    latestAt: times.includes(null) ? null : Math.min(...times.filter((time) => time !== null)),
    isSuspected: places.some(({ latestStatus }) => latestStatus !== null && isOther(latestStatus)),
    patience,
  };
}
