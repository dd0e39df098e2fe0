import type { Hours } from "../../../../domain/alerts/hours.ts";
import type { NotifyOn } from "../../../../domain/alerts/notify.ts";
import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import { fill, listOf, plural, texts } from "../../languages/texts.ts";
import { formatDuration } from "../../ui/durations.ts";
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
  const words = texts.monitorForm.preview;
  if (!enabled) return words.disabled;
  const outside = hours && fill(words.outside[hours.outside ?? "hold"], { hours: describeHours(hours) });
  const { never, always, ifNotified } = words.recovery;
  const isLate = after > 0 || hours !== undefined;
  const recovery = notifyOn.includes("healthy") ? (isLate ? ifNotified : always) : never;
  return [describeFirst(notifyOn, after, every), outside, recovery]
    .filter(Boolean)
    .join(texts.common.sentenceSpace);
}

/** When trouble is notified, and how often again. @param after, every seconds */
function describeFirst(notifyOn: NotifyOn, after: number, every: number): string {
  const { down, warning, downOrWarning } = texts.monitorForm.preview.start;
  const words = !notifyOn.includes("warning") ? down : notifyOn.includes("down") ? downOrWarning : warning;
  const times = { after: durationOf(after), every: durationOf(every) };
  if (after === 0) return every === 0 ? words.atOnce : fill(words.atOnceAndAgain, times);
  return fill(every === 0 ? words.late : words.lateAndAgain, times);
}

/** When trouble begins, if not with the first check that sees it. */
function describeStart(type: MonitorType, confirmations: number): string[] {
  if (confirmations === 0) return [];
  const { checks, runs } = texts.monitorForm.preview.confirmed;
  return [plural(type === "SCHEDULED" ? runs : checks, confirmations)];
}

function describeMuting({
  dependsOn,
  silentParents,
}: Pick<AlertRules, "dependsOn" | "silentParents">): string[] {
  if (dependsOn.length === 0) return [];
  const { muted, silent } = texts.monitorForm.preview;
  const anyOf = (names: readonly string[]) => ({ monitors: listOf(names, "disjunction") });
  const warning = silentParents.length === 0 ? [] : [fill(silent, anyOf(silentParents))];
  return [fill(muted, anyOf(dependsOn)), ...warning];
}

function durationOf(seconds: number): string {
  return formatDuration(seconds * 1000);
}
