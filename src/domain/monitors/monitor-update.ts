import { type Static, type TObject, Type } from "@sinclair/typebox";
import { notFound } from "../../errors.ts";
import type { Plan } from "../accounts/organization.ts";
import { type RequestedBindings, requestedBindings } from "../alerts/alert-binding.ts";
import { isSameJson } from "../canonical-json.ts";
import { isSameTarget } from "../checks/judge.ts";
import { afterPause, type HeartbeatState } from "../heartbeats/heartbeat.ts";
import { afterEdit, afterResume } from "../heartbeats/run-steps.ts";
import { HERE_ID } from "../locations/location.ts";
import { isSamePlacement, ONLY_HERE, Placement, placementAfter } from "../locations/place.ts";
import { pick, pickGiven } from "../pick.ts";
import { Confirmation, UNCONFIRMED } from "./confirmation.ts";
import { DependsOn } from "./dependencies.ts";
import {
  assertIntervalAllowed,
  type Monitor,
  type MonitorConfig,
  type MonitorType,
  parseConfig,
} from "./monitor.ts";
import { Tags } from "./tags.ts";

/** Changes of a monitor by a request. Other monitors, channels and locations are named by their IDs. */
export interface MonitorChanges
  extends RequestedBindings,
    Requested<MonitorSettings & { name: string; enabled: boolean; ref: string }> {
  /** As the request gives it: only the stored type decides whether it fits. */
  config?: unknown;
}

type Stored = Pick<Monitor, (typeof STORED_SETTINGS)[number]> & Placement;

/** The part of a monitor that an update depends on. */
export interface UpdatableMonitor extends Stored {
  type: MonitorType;
}

export interface MonitorUpdatePlan extends Stored {
  /** Whether checks under way become invalid; then `nextCheckAt` is set, and a suspicion ends (behavior 11.10). */
  isRevised: boolean;
  /** Milliseconds since 1970; null if this server probes nothing. */
  nextCheckAt: number | null;
  /** Whether memory and baseline describe another target. */
  isOtherTarget: boolean;
  /** Whether the open outage ends. */
  isPaused: boolean;
}

/**
 * Refuses a request whose interval is below the minimum of the plan, then one for an unknown monitor. The interval of SCHEDULED
 * monitors is fixed.
 *
 * @throws AppError `invalid` for the interval, then `not_found`
 */
export function assertUpdatable<Stored extends { type: MonitorType }>(
  stored: Stored | undefined,
  { config }: MonitorChanges,
  plan: Plan,
): asserts stored is Stored {
  if (stored?.type !== "SCHEDULED") assertIntervalAllowed(plan, config);
  if (!stored) throw notFound();
}

/**
 * Plans an update (behavior 7.38 to 7.41).
 *
 * @param now milliseconds since 1970
 * @throws AppError `invalid` for a config that does not fit the type, then for locations
 */
export function planMonitorUpdate(
  before: UpdatableMonitor,
  changes: MonitorChanges,
  { plan, now }: { plan: Plan; now: number },
): MonitorUpdatePlan {
  const config =
    changes.config === undefined
      ? before.config
      : parseConfig(before.type, changes.config, plan, before.config);
  const enabled = changes.enabled ?? before.enabled;
  const placement = placementAfter(before, changes);
  return {
    ...pick(before, STORED_SETTINGS),
    ...pickGiven(changes, STORED_SETTINGS),
    config,
    ...placement,
    isRevised:
      enabled !== before.enabled || !isSameJson(before.config, config) || !isSamePlacement(before, placement),
    nextCheckAt: firstCheckAt(
      { type: before.type, enabled, isHere: placement.locations.includes(HERE_ID) },
      now,
    ),
    isOtherTarget: !isSameTarget(before.config, config),
    isPaused: !enabled,
  };
}

/** The values of a request that creates a monitor, or replaces it in full. The config is not validated yet. */
export interface MonitorRequest extends MonitorChanges {
  name: string;
  type: MonitorType;
  config: unknown;
}

/** A request for a new monitor with its config validated. @throws AppError `invalid` for its interval, then for its config */
export function parseNewMonitor<Request extends MonitorRequest>(request: Request, plan: Plan) {
  const { name, type, config } = request;
  if (type !== "SCHEDULED") assertIntervalAllowed(plan, config);
  return { ...request, name: name.trim(), config: parseConfig(type, config, plan) };
}

/**
 * The changes that give a monitor exactly the values of a request: what it does not give gets the default of a new monitor
 * (behavior 16.5).
 *
 * @param defaultChannelIds of the organization, for a request without bindings
 * @throws AppError `invalid` for both forms of bindings, or for a channel that is in two bindings
 */
export function monitorReplacement(
  request: MonitorRequest,
  defaultChannelIds: readonly string[],
): MonitorChanges {
  const { name, type, config, ref, alertChannelIds, alertBindings } = request;
  const bindings = requestedBindings(request)
    ? { alertChannelIds, alertBindings }
    : { alertChannelIds: [...defaultChannelIds] };
  const settings = { ...newSettings(request), name: name.trim(), config, ref, ...bindings };
  // Jobs have no locations.
  return type === "SCHEDULED" ? { ...settings, ...pick(request, PLACEMENT) } : settings;
}

/**
 * When this server first checks a monitor after it was created, edited or resumed; null if it does not.
 *
 * @property isHere whether this server is one of the locations
 */
export function firstCheckAt(
  { type, enabled, isHere }: { type: MonitorType; enabled: boolean; isHere: boolean },
  now: number,
): number | null {
  return enabled && type !== "SCHEDULED" && isHere ? now : null;
}

/** The heartbeat of a job after a pause, a resume, or an edit of its rhythm. */
export function heartbeatAfter(
  heartbeat: HeartbeatState,
  { before, after }: Record<"before" | "after", Pick<Monitor, "config" | "enabled">>,
  now: number,
): HeartbeatState {
  const rhythms = { before: before.config as Rhythm, after: after.config as Rhythm };
  if (!after.enabled) return afterPause(heartbeat);
  return before.enabled ? afterEdit(heartbeat, rhythms, now) : afterResume(heartbeat, rhythms.after, now);
}

type Rhythm = MonitorConfig<"SCHEDULED">;

/**
 * The settings of a monitor besides its name, its config and its bindings: each is declared here or in the group that it belongs to.
 * Requests, responses, documents, changes and queries pick the settings from here.
 */
export const MonitorSettings = Type.Object({
  ...Confirmation.properties,
  ...Placement.properties,
  tags: Tags,
  dependsOn: DependsOn,
});
export type MonitorSettings = Static<typeof MonitorSettings>;

/** The values of a new monitor. */
export const MONITOR_DEFAULTS: MonitorSettings & { enabled: boolean } = {
  enabled: true,
  ...UNCONFIRMED,
  ...ONLY_HERE,
  tags: [],
  dependsOn: [],
};

export const SETTINGS = namesOf(MonitorSettings);
const CONFIRMATION = namesOf(Confirmation);
export const PLACEMENT = namesOf(Placement);
/** All except for the placement, which jobs do not have. */
export const UNPLACED = namesOf(Type.Omit(MonitorSettings, PLACEMENT));

/** The settings that the row of a monitor stores unchanged. Its placement is stored with the numbers of the locations. */
export const STORED_SETTINGS = ["name", "config", "enabled", "tags", ...CONFIRMATION, "ref"] as const;

/** The settings that a new row of a monitor gets. */
export const CREATED_SETTINGS = ["id", "type", ...STORED_SETTINGS] as const;

/** Values that a request may leave out. */
type Requested<Values> = { [Name in keyof Values]?: Values[Name] | undefined };

/** The settings of a new monitor: the defaults, except for what is given. */
export function newSettings(given: Requested<typeof MONITOR_DEFAULTS>): typeof MONITOR_DEFAULTS {
  return { ...MONITOR_DEFAULTS, ...pickGiven(given, ["enabled", ...SETTINGS]) };
}

function namesOf<Group extends TObject>({ properties }: Group): (keyof Static<Group>)[] {
  return Object.keys(properties);
}
