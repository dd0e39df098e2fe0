import { type AlertBinding, type AlertTiming, AT_ONCE } from "../alerts/alert-binding.ts";
import { type NewHours, WEEKDAYS } from "../alerts/hours.ts";
import type { NotifyOn } from "../alerts/notify.ts";
import { isSameJson } from "../canonical-json.ts";
import { WARN_DAYS } from "../checks/certificate.ts";
import { type Expectations, MAX_WITHIN } from "../checks/expectation-rules.ts";
import type { ParsedBinding, ParsedDocument, ParsedMonitor } from "../configuration/parse-monitor.ts";
import type { Change, ObjectKind } from "../configuration/plan.ts";
import { type Key, keysById, type StoredConfiguration } from "../configuration/stored-configuration.ts";
import { isSelected, type Selector } from "../monitors/selector.ts";
import { omit } from "../pick.ts";
import { hasField, type ReplayChanges } from "./changes.ts";

/*
 * The changes of alerting in the plan of an apply, in the words of a replay (behavior 25.41, 25.43). A replay gives all bindings of a
 * monitor the same values, and it knows only some fields: the other changed fields are named.
 */

/** A document, the changes that an apply of it would make, and the present state. */
export interface PlannedApply {
  document: Pick<ParsedDocument, "channels" | "monitors" | "maintenances">;
  changes: readonly Change[];
  present: PresentAlerting;
}

/** The stored objects that decide how a plan changes alerting. */
export interface PresentAlerting extends Pick<StoredConfiguration, "defaultChannelIds"> {
  channels: readonly Pick<StoredConfiguration["channels"][number], "id" | "ref" | "notifyOn">[];
  schedules: readonly Pick<StoredConfiguration["schedules"][number], "id" | "ref">[];
  monitors: readonly PresentMonitor[];
}

/** @property alertBindings except for those that `needSchedules` names, the bindings to channels are enough */
export type PresentMonitor = Pick<
  StoredConfiguration["monitors"][number],
  "id" | "ref" | "name" | "type" | "config" | "tags" | "alertBindings"
>;

/**
 * The changes of one monitor in a plan.
 *
 * @property id null for a new monitor @property name its ref, or its name if it has none
 * @property changes that a replay can try @property unknown the other changed fields
 */
export interface PlannedReplay {
  id: string | null;
  ref: string | null;
  name: string;
  changes: ReplayChanges;
  unknown: UnknownChange[];
}

/** A changed field that is not replayed. @property reason null for a field that no replay knows */
export interface UnknownChange {
  field: string;
  reason: string | null;
}

/** The monitors that a plan creates or updates, then the others whose channels or maintenances it changes. */
export function planReplays(apply: PlannedApply): PlannedReplay[] {
  const plan = planOf(apply);
  const known = new Map(apply.present.monitors.map((monitor) => [monitor.ref, monitor]));
  const listed = [...plan.monitors].flatMap(([ref, { action }]): PlannedReplay[] => {
    if (action === "delete") return [];
    const monitor = action === "update" ? known.get(ref) : undefined;
    return [monitor ? planReplay(monitor, plan) : { id: null, ref, name: ref, changes: {}, unknown: [] }];
  });
  const others = apply.present.monitors.filter(({ ref }) => ref === null || !plan.monitors.has(ref));
  return [...listed, ...others.map((monitor) => planReplay(monitor, plan)).filter(isChange)];
}

function isChange({ changes, unknown }: PlannedReplay): boolean {
  return unknown.length > 0 || Object.keys(changes).length > 0;
}

/** The IDs of the monitors whose bindings to schedules decide about their changes in a plan. */
export function needSchedules(apply: PlannedApply): string[] {
  const { monitors, notifyOn } = planOf(apply);
  const isNeeded = ({ ref, alertBindings }: PresentMonitor) =>
    (ref !== null && monitors.get(ref)?.fields.some(isBindings)) ||
    alertBindings.some(({ alertChannelId = "" }) => notifyOn.has(alertChannelId));
  return apply.present.monitors.filter(isNeeded).map(({ id }) => id);
}

function isBindings(field: string): boolean {
  return field === "alertBindings" || field === "alertChannelIds";
}

/** @property monitors by ref @property notifyOn that the plan changes, by the ID of the channel @property windows of new maintenances */
interface AlertingPlan extends Pick<PlannedApply, "document" | "present"> {
  monitors: ReadonlyMap<string, Change>;
  notifyOn: ReadonlyMap<string, NotifyOn>;
  windows: readonly { selector: Selector; window: NonNullable<ReplayChanges["maintenance"]> }[];
}

function planOf({ document, changes, present }: PlannedApply): AlertingPlan {
  const byRef = (wanted: ObjectKind) =>
    new Map(changes.filter(({ kind }) => kind === wanted).map((change) => [change.ref, change]));
  const channels = byRef("channel");
  const notifyOn = present.channels.flatMap(({ id, ref }) => {
    const isChanged = ref !== null && channels.get(ref)?.fields.includes("notifyOn");
    const after = isChanged ? document.channels.get(ref)?.notifyOn : undefined;
    return after ? [[id, after] as const] : [];
  });
  const windows = [...byRef("maintenance").values()].flatMap(({ action, ref }) => {
    const { selector, times } = document.maintenances.get(ref) ?? {};
    const { cron, timezone, duration } = times ?? {};
    if (action !== "create" || !selector || !cron || !duration) return [];
    return [{ selector, window: { cron, ...(timezone && { timezone }), duration } }];
  });
  return { document, present, monitors: byRef("monitor"), notifyOn: new Map(notifyOn), windows };
}

function planReplay(monitor: PresentMonitor, plan: AlertingPlan): PlannedReplay {
  const { id, ref, name } = monitor;
  const found: Found = { changes: {}, unknown: [] };
  const entry = ref === null ? undefined : plan.document.monitors.get(ref);
  const fields = (ref !== null && plan.monitors.get(ref)?.fields) || [];
  if (entry) for (const field of fields) changeField(field, { monitor, entry, plan, found });
  changeNotifyOn(monitor, plan, found);
  changeMaintenance({ id: ref ?? "", tags: entry?.tags ?? monitor.tags }, plan, found);
  return { id, ref, name: ref ?? name, ...found };
}

type Found = Pick<PlannedReplay, "changes" | "unknown">;

interface ChangedField {
  monitor: PresentMonitor;
  entry: ParsedMonitor;
  plan: AlertingPlan;
  found: Found;
}

function changeField(field: string, changed: ChangedField): void {
  const { monitor, entry, found } = changed;
  const { changes, unknown } = found;
  const after = entry.config as { warnDays?: number };
  if (field === "confirmations" || field === "recoveries") changes[field] = entry[field];
  else if (field === "downWhen") changes.downWhen = entry.downWhen;
  else if (field === "config.warnDays" && hasField("warnDays", monitor))
    changes.warnDays = after.warnDays ?? WARN_DAYS;
  else if (field === "config.expect" && hasField("expect.within", monitor)) changeExpect(changed);
  else if (isBindings(field)) changeBindings(field, changed);
  else unknown.push({ field, reason: null });
}

/** Without `within`, an answer may take as long as a check at most. */
function changeExpect({ monitor, entry, found: { changes, unknown } }: ChangedField): void {
  const expectOf = (config: object) => (config as { expect?: Expectations }).expect ?? {};
  const [before, after] = [expectOf(monitor.config), expectOf(entry.config)];
  if (before.within !== after.within) changes["expect.within"] = after.within ?? MAX_WITHIN;
  if (!isSameJson(omit(before, ["within"]), omit(after, ["within"])))
    unknown.push({ field: "config.expect", reason: null });
}

const TIMINGS = ["after", "every", "hours"] as const satisfies (keyof AlertTiming)[];

function changeBindings(
  field: string,
  { monitor, entry, plan: { present }, found: { changes, unknown } }: ChangedField,
): void {
  const before = bindingsByKey(monitor.alertBindings, present);
  const after = entry.bindings ? parsedByKey(entry.bindings) : defaultsByKey(present);
  const kept = [...after].filter(([key]) => before.has(key));
  if (kept.length < Math.max(before.size, after.size)) unknown.push({ field, reason: null });
  for (const name of TIMINGS) {
    if (kept.every(([key, timing]) => isSameJson(timing[name], before.get(key)?.[name]))) continue;
    const [first, ...others] = [...after.values()].map((timing) => timing[name]);
    const isOne = others.every((value) => isSameJson(value, first));
    if (isOne) Object.assign(changes, { [name]: first ?? ALWAYS });
    else unknown.push({ field: name, reason: "its bindings would differ" });
  }
}

/** The hours of a binding without hours. */
const ALWAYS: NewHours = {
  timezone: "UTC",
  windows: [{ days: [...WEEKDAYS], from: "00:00", to: "24:00" }],
};

/** By the key of the channel or schedule. */
type Timings = ReadonlyMap<string, AlertTiming>;

function bindingsByKey(bindings: readonly AlertBinding[], { channels, schedules }: PresentAlerting): Timings {
  const [channelKeys, scheduleKeys] = [keysById(channels), keysById(schedules)];
  return new Map(
    bindings.map(({ alertChannelId = "", scheduleId, ...timing }) =>
      scheduleId === undefined
        ? [bindingKey(channelKeys.get(alertChannelId), false), timing]
        : [bindingKey(scheduleKeys.get(scheduleId), true), timing],
    ),
  );
}

function parsedByKey(bindings: readonly ParsedBinding[]): Timings {
  return new Map(
    bindings.map(({ channel, isSchedule, ...timing }) => [bindingKey(channel, isSchedule), timing]),
  );
}

function defaultsByKey({ defaultChannelIds, channels }: PresentAlerting): Timings {
  const keys = keysById(channels);
  return new Map(defaultChannelIds.map((id) => [bindingKey(keys.get(id), false), AT_ONCE]));
}

function bindingKey(key: Key | undefined, isSchedule: boolean): string {
  return `${isSchedule} ${key ?? ""}`;
}

/** A replay gives all channels that a monitor notifies the same `notifyOn`. */
function changeNotifyOn(
  { alertBindings }: PresentMonitor,
  { present, notifyOn }: AlertingPlan,
  { changes, unknown }: Found,
): void {
  const ids = new Set(alertBindings.map(({ alertChannelId }) => alertChannelId));
  const bound = present.channels.filter(({ id }) => ids.has(id));
  if (!bound.some(({ id }) => notifyOn.has(id))) return;
  const [first, ...others] = bound.map((channel) => notifyOn.get(channel.id) ?? channel.notifyOn);
  const hasSchedule = alertBindings.some(({ scheduleId }) => scheduleId !== undefined);
  if (hasSchedule)
    unknown.push({ field: "notifyOn", reason: "the people of its schedules have other channels" });
  else if (first && others.every((one) => isSameJson(one, first))) changes.notifyOn = first;
  else unknown.push({ field: "notifyOn", reason: "its channels would differ" });
}

/** @param monitor with its ref as ID, and with its tags after the plan */
function changeMaintenance(
  monitor: Parameters<typeof isSelected>[1],
  { windows }: AlertingPlan,
  { changes, unknown }: Found,
): void {
  const [first, ...others] = windows.filter(({ selector }) => isSelected(selector, monitor));
  if (others.length > 0) unknown.push({ field: "maintenance", reason: "several are new" });
  else if (first) changes.maintenance = first.window;
}
