import { AppError } from "../../errors.ts";
import type { Plan } from "../accounts/organization.ts";
import { AT_ONCE } from "../alerts/alert-binding.ts";
import { isSameJson } from "../canonical-json.ts";
import { assertIntervalAllowed, parseConfig } from "../monitors/monitor.ts";
import { SETTINGS } from "../monitors/monitor-update.ts";
import { pushTokenOf } from "../monitors/push-token.ts";
import { pick } from "../pick.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { assertSameType } from "../schemas/format.ts";
import { MASK } from "../schemas/mask.ts";
import { asFault, type Fault } from "./history.ts";
import type { ParsedBinding, ParsedDocument, ParsedMonitor } from "./parse-monitor.ts";
import { changedFieldsOf, type Deletion, type PlannedMonitor, type Step } from "./plan.ts";
import {
  byRef,
  type Key,
  keysById,
  type StoredConfiguration,
  type StoredMonitor,
} from "./stored-configuration.ts";

/** In steps of one monitor: see `planApply`. */
export function* planMonitors(
  { monitors }: ParsedDocument,
  stored: StoredConfiguration,
  deletions: readonly Deletion[],
): Generator<void, { steps: Step<PlannedMonitor>[]; faults: Fault[] }> {
  const context = contextOf(stored, deletions);
  const [steps, faults]: [Step<PlannedMonitor>[], Fault[]] = [[], []];
  for (const [ref, entry] of monitors) {
    try {
      const step = planMonitor(ref, entry, context);
      if (step) steps.push(step);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(asFault(error, fieldOf("monitors", ref)));
    }
    yield;
  }
  return { steps, faults: [...faults, ...tokenFaults(monitors, stored, deletions)] };
}

/** Push tokens that two monitors would have. None is repeated, because they are secrets. */
function tokenFaults(
  monitors: ParsedDocument["monitors"],
  stored: StoredConfiguration,
  deletions: readonly Deletion[],
): Fault[] {
  const deleted = new Set(deletions.map(({ id }) => id));
  const taken = new Set(stored.foreignTokens);
  for (const { id, ref, config } of stored.monitors) {
    const token = pushTokenOf(config);
    const isPlanned = ref !== null && monitors.has(ref);
    if (token !== null && !isPlanned && !deleted.has(id)) taken.add(token);
  }
  const known = byRef(stored.monitors);
  return [...monitors].flatMap(([ref, { config }]): Fault[] => {
    const given = pushTokenOf(config);
    const token = given === MASK ? pushTokenOf(known.get(ref)?.config ?? {}) : given;
    const path = `${fieldOf("monitors", ref)}.config.pushToken`;
    if (token !== null && taken.has(token))
      return [{ path, message: "is taken: it must be unique on this server" }];
    if (token !== null) taken.add(token);
    return [];
  });
}

interface Context {
  plan: Plan;
  known: ReadonlyMap<string, StoredMonitor>;
  channelKeys: ReadonlyMap<string, Key>;
  scheduleKeys: ReadonlyMap<string, Key>;
  monitorKeys: ReadonlyMap<string, Key>;
  /** For a monitor that specifies none. */
  defaultBindings: ParsedBinding[];
}

function contextOf(stored: StoredConfiguration, deletions: readonly Deletion[]): Context {
  const deleted = new Set(deletions.map(({ id }) => id));
  const channelKeys = keysById(stored.channels);
  const defaults = stored.defaultChannelIds.filter((id) => !deleted.has(id));
  return {
    plan: stored.organization.plan,
    known: byRef(stored.monitors),
    channelKeys,
    scheduleKeys: keysById(stored.schedules),
    monitorKeys: keysById(stored.monitors),
    defaultBindings: defaults.map((id) => {
      return { channel: channelKeys.get(id) ?? "", isSchedule: false, ...AT_ONCE };
    }),
  };
}

/**
 * @returns undefined if nothing changes
 * @throws AppError `invalid` for another type, an interval that is too short, or a secret that is not stored
 */
function planMonitor(ref: string, entry: ParsedMonitor, context: Context): Step<PlannedMonitor> | undefined {
  const before = context.known.get(ref);
  const { type, config } = entry;
  if (before) assertSameType(before.type, type);
  const parsed = parseConfig(type, config, context.plan, before?.config);
  // An unchanged config may be older than the plan.
  const isNewConfig = !before || !isSameJson(before.config, parsed);
  if (isNewConfig && type !== "SCHEDULED") assertIntervalAllowed(context.plan, config);
  const values = { ...entry, config: parsed, bindings: entry.bindings ?? context.defaultBindings };
  if (!before) return { ref, id: null, fields: entry.given, values };
  const fields = changedFieldsOf(comparable(asPlanned(before, entry, context)), comparable(values));
  return fields.length > 0 ? { ref, id: before.id, fields, values } : undefined;
}

type Comparable = Omit<PlannedMonitor, "given" | "type">;

/** A stored monitor with keys in place of IDs. */
function asPlanned(
  { alertBindings, dependsOn, ...monitor }: StoredMonitor,
  { bindingsField }: ParsedMonitor,
  { channelKeys, scheduleKeys, monitorKeys }: Context,
): Comparable {
  return {
    ...monitor,
    bindingsField,
    bindings: alertBindings.map(({ alertChannelId = "", scheduleId, ...timing }) => {
      const channel =
        scheduleId === undefined ? channelKeys.get(alertChannelId) : scheduleKeys.get(scheduleId);
      return { channel: channel ?? "", isSchedule: scheduleId !== undefined, ...timing };
    }),
    dependsOn: dependsOn.map((id) => monitorKeys.get(id) ?? ""),
  };
}

/** The fields under the names of the API. The order of channels and dependencies is not stored. */
function comparable({ bindings, bindingsField, dependsOn, ...monitor }: Comparable) {
  return {
    ...pick(monitor, ["name", "config", "enabled"]),
    [bindingsField]: bindings.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1)),
    ...pick({ ...monitor, dependsOn: dependsOn.toSorted() }, SETTINGS),
  };
}

function sortKey({ channel, isSchedule }: ParsedBinding): string {
  return `${isSchedule} ${channel}`;
}
