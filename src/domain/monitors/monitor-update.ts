import { notFound } from "../../errors.ts";
import type { Plan } from "../accounts/organization.ts";
import type { RequestedBindings } from "../alerts/alert-binding.ts";
import { isSameJson } from "../canonical-json.ts";
import { isSameTarget } from "../checks/judge.ts";
import { afterEdit, afterPause, afterResume, type HeartbeatState } from "../heartbeats/heartbeat.ts";
import { type DownWhen, HERE_ID } from "../locations/location.ts";
import { isSamePlacement, type Placement, placementAfter } from "../locations/placement.ts";
import type { Confirmation } from "./confirmation.ts";
import { assertIntervalAllowed, type MonitorConfig, type MonitorType, parseConfig } from "./monitor.ts";

/** What a request changes of a monitor. */
export interface MonitorChanges extends RequestedBindings {
  name?: string | undefined;
  /** As the request gives it: only the stored type decides whether it fits. */
  config?: unknown;
  enabled?: boolean | undefined;
  confirmations?: number | undefined;
  recoveries?: number | undefined;
  /** IDs. */
  locations?: string[] | undefined;
  downWhen?: DownWhen | undefined;
  tags?: string[] | undefined;
  /** IDs. */
  dependsOn?: string[] | undefined;
  ref?: string | undefined;
}

/** The part of a monitor that an update depends on. */
export interface UpdatableMonitor extends Confirmation, Placement {
  type: MonitorType;
  name: string;
  config: MonitorConfig;
  enabled: boolean;
  tags: string[];
  ref: string | null;
  heartbeat: HeartbeatState;
}

export interface MonitorUpdatePlan extends Confirmation, Placement {
  name: string;
  config: MonitorConfig;
  enabled: boolean;
  tags: string[];
  ref: string | null;
  heartbeat: HeartbeatState;
  /** Whether checks under way become invalid; then `nextCheckAt` is set, and a suspicion ends (behavior 11.10). */
  isRevised: boolean;
  /** Milliseconds since 1970; null if this server probes nothing. */
  nextCheckAt: number | null;
  /** Whether memory and baseline are those of another target. */
  isOtherTarget: boolean;
  /** Whether the open outage ends. */
  isPaused: boolean;
}

/**
 * Plans an update (behavior 7.38 to 7.41). An interval below the minimum of the plan is reported before an unknown
 * monitor, except for SCHEDULED monitors, whose interval is fixed.
 *
 * @param before nothing if the monitor does not exist
 * @param now milliseconds since 1970
 * @throws AppError `invalid` for the interval, then `not_found`, then `invalid` for a config that does not fit the type, then
 *   for locations
 */
export function planMonitorUpdate(
  before: UpdatableMonitor | undefined,
  changes: MonitorChanges,
  { plan, now }: { plan: Plan; now: number },
): MonitorUpdatePlan {
  if (before?.type !== "SCHEDULED") assertIntervalAllowed(plan, changes.config);
  if (!before) throw notFound();
  const config =
    changes.config === undefined
      ? before.config
      : parseConfig(before.type, changes.config, plan, before.config);
  const enabled = changes.enabled ?? before.enabled;
  const placement = placementAfter(before, changes);
  return {
    name: changes.name ?? before.name,
    config,
    enabled,
    tags: changes.tags ?? before.tags,
    ref: changes.ref ?? before.ref,
    confirmations: changes.confirmations ?? before.confirmations,
    recoveries: changes.recoveries ?? before.recoveries,
    heartbeat: heartbeatAfter(before, { config, enabled }, now),
    ...placement,
    isRevised:
      enabled !== before.enabled || !isSameJson(before.config, config) || !isSamePlacement(before, placement),
    nextCheckAt: firstCheckAt({ type: before.type, enabled, locations: placement.locations }, now),
    isOtherTarget: !isSameTarget(before.config, config),
    isPaused: !enabled,
  };
}

/** When this server first checks a monitor after it was created, edited or resumed; null if it does not. */
export function firstCheckAt(
  { type, enabled, locations }: { type: MonitorType; enabled: boolean; locations: Placement["locations"] },
  now: number,
): number | null {
  return enabled && type !== "SCHEDULED" && locations.includes(HERE_ID) ? now : null;
}

/** The heartbeat after a pause, a resume, or an edit of the rhythm; unchanged for other types. */
function heartbeatAfter(
  { type, config, enabled, heartbeat }: UpdatableMonitor,
  after: Pick<UpdatableMonitor, "config" | "enabled">,
  now: number,
): HeartbeatState {
  if (type !== "SCHEDULED") return heartbeat;
  const rhythms = { before: config as Rhythm, after: after.config as Rhythm };
  if (!after.enabled) return afterPause(heartbeat);
  return enabled ? afterEdit(heartbeat, rhythms, now) : afterResume(heartbeat, rhythms.after, now);
}

type Rhythm = MonitorConfig<"SCHEDULED">;
