import type { Hours } from "../../../../domain/alerts/hours.ts";
import type { NotifyOn } from "../../../../domain/alerts/notify.ts";
import { formatDuration } from "../../../../domain/duration.ts";
import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import { formatCount } from "../../ui/numbers.ts";
import { describeHours } from "./hours-fields.tsx";

/** A channel as a monitor notifies it. @property after, every, hours as of `Binding` */
export interface NotifiedChannel {
  id: string;
  name: string;
  enabled: boolean;
  notifyOn: NotifyOn;
  after: number;
  every: number;
  hours?: Hours;
}

export interface AlertRules {
  type: MonitorType;
  confirmations: number;
  channels: NotifiedChannel[];
  /** The names of the monitors that it depends on. */
  dependsOn: string[];
  /** The names of direct and indirect parents of which nobody is notified. */
  silentParents: string[];
}

interface AlertPreview {
  /** Who is notified, when: the first to be notified first. */
  steps: { id: string; name: string; when: string }[];
  /** Other conditions of notifications. */
  conditions: string[];
}

/** Who is notified of trouble of a monitor, and when, in words (behavior 14.96). */
export function previewAlerts({ type, confirmations, channels, ...parents }: AlertRules): AlertPreview {
  const sorted = channels.toSorted(
    (a, b) => Number(b.enabled) - Number(a.enabled) || a.after - b.after || a.name.localeCompare(b.name),
  );
  return {
    steps: sorted.map((channel) => ({ id: channel.id, name: channel.name, when: describeStep(channel) })),
    conditions:
      channels.length === 0 ? [] : [...describeStart(type, confirmations), ...describeMuting(parents)],
  };
}

function describeStep({ enabled, notifyOn, after, every, hours }: NotifiedChannel): string {
  if (!enabled) return "Never: the channel is disabled.";
  const trouble = describeTrouble(notifyOn);
  const first =
    after === 0
      ? `At once if the monitor ${trouble}`
      : `If the monitor ${trouble}, and that lasts ${durationOf(after)} without being acknowledged`;
  const again = every === 0 ? "" : `, then every ${durationOf(every)} until it is over or acknowledged`;
  const isLate = after > 0 || hours !== undefined;
  return `${first}${again}.${hours ? ` ${describeOutside(hours)}` : ""} ${describeRecovery(notifyOn, isLate)}`;
}

function describeTrouble(notifyOn: NotifyOn): string {
  if (!notifyOn.includes("warning")) return "goes down";
  return notifyOn.includes("down") ? "goes down or gets a warning" : "gets a warning";
}

function describeOutside(hours: Hours): string {
  const then =
    hours.outside === "drop" ? "is never sent" : "waits until they open, and is sent if the trouble lasts";
  return `Outside ${describeHours(hours)} it ${then}.`;
}

function describeRecovery(notifyOn: NotifyOn, isLate: boolean): string {
  if (!notifyOn.includes("healthy")) return "Not when it is healthy again.";
  return isLate
    ? "Also when it is healthy again, if the trouble was notified."
    : "Also when it is healthy again.";
}

/** When trouble begins, if not with the first check that sees it. */
function describeStart(type: MonitorType, confirmations: number): string[] {
  if (confirmations === 0) return [];
  const [further, verb] =
    type === "SCHEDULED" ? ["further failure or missed run", "must follow"] : ["further check", "must agree"];
  const count =
    confirmations === 1 || type !== "SCHEDULED"
      ? formatCount(confirmations, further)
      : `${confirmations} further failures or missed runs`;
  return [`${count} ${verb} before anybody is notified.`];
}

function describeMuting({
  dependsOn,
  silentParents,
}: Pick<AlertRules, "dependsOn" | "silentParents">): string[] {
  if (dependsOn.length === 0) return [];
  const muting = `Trouble that begins while ${anyOf(dependsOn)} is down is notified only if it lasts longer.`;
  if (silentParents.length === 0) return [muting];
  const warning = `Nobody is notified if ${anyOf(silentParents)} itself is down: bind an enabled channel to it.`;
  return [muting, warning];
}

function anyOf(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length === 1 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
}

function durationOf(seconds: number): string {
  return formatDuration(seconds * 1000);
}
