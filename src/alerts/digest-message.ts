import { type AlertEvent, isTransition, type Notice } from "../domain/alerts/alert-event.ts";
import { type AlertMessage, type Fact, formatTime } from "../domain/alerts/alert-message.ts";
import type { Transition } from "../domain/alerts/delivery.ts";
import {
  bySeverity,
  groupOf,
  levelOf,
  type Status,
  type StatusGroup,
  statusLabel,
} from "../domain/monitors/status.ts";
import { oneLine } from "../domain/truncate.ts";
import { describeNotice } from "./notice-message.ts";

/** The most monitors, or notices, that are named; the others are counted (behavior 14.65). */
const MAX_NAMES = 20;

/** One monitor with its latest status, or one notice. @property events number of events of the message about it */
interface Entry {
  label: string;
  name: string;
  group: StatusGroup;
  /** The order within the message: the worst is the first. */
  rank: number;
  events: number;
}

/**
 * One message about several events of a channel (behavior 14.65). A monitor with several events counts once, with the latest
 * status.
 *
 * @param events in their order, at least one
 */
export function describeDigest(events: readonly AlertEvent[], baseUrl: string): AlertMessage {
  const monitors = entriesOf(events.filter(isTransition));
  const notices = events.filter((event): event is Notice => !isTransition(event)).map(noticeEntry);
  const entries = [...monitors, ...notices].toSorted((a, b) => a.rank - b.rank);
  const counts = countsOf(monitors);
  return {
    title: titleOf(monitors.length, { counts, notices: notices.length }),
    reason: reasonOf(events),
    facts: [...counts, ...(notices.length > 0 ? [{ label: "Notices", value: String(notices.length) }] : [])],
    list: listOf(entries),
    link: `${baseUrl}/outages`,
    group: entries[0]?.group ?? "healthy",
    at: Math.max(...events.map(timeOf)),
  };
}

/** One entry for each monitor. */
function entriesOf(transitions: readonly Transition[]): Entry[] {
  const byMonitor = Map.groupBy(transitions, ({ monitor }) => monitor.id);
  return [...byMonitor.values()].flatMap((own) => {
    const latest = own.at(-1);
    return latest ? [{ ...monitorEntry(latest), events: own.length }] : [];
  });
}

function monitorEntry({ monitor, status, reminder }: Transition): Omit<Entry, "events"> {
  const label = reminder ? `Still ${statusLabel(status).toLowerCase()}` : statusLabel(status);
  const statuses: readonly Status[] = bySeverity(monitor.type);
  const severity = statuses.indexOf(status);
  return { label, name: oneLine(monitor.name), group: groupOf(status), rank: rankOf(status, severity) };
}

/** By the group first. Within one, the statuses of each type are in their own order. */
function rankOf(status: Status, severity: number): number {
  return 10 * -levelOf(status) + severity;
}

/** After the monitors of its group. */
function noticeEntry(notice: Notice): Entry {
  const { title, group } = describeNotice(notice, "");
  const rank = group === "healthy" ? 9 : -1;
  return { label: "Notice", name: title, group, rank, events: 1 };
}

/** How many monitors have each status, worst first. */
function countsOf(monitors: readonly Entry[]): Fact[] {
  const sorted = monitors.toSorted((a, b) => a.rank - b.rank);
  const byLabel = Map.groupBy(sorted, ({ label }) => label);
  return [...byLabel].map(([label, { length }]) => ({ label, value: String(length) }));
}

function titleOf(monitors: number, { counts, notices }: { counts: Fact[]; notices: number }): string {
  const about = counts.map(({ label, value }) => `${value} ${label}`).join(", ");
  const parts = [
    ...(monitors > 0 ? [`${counted(monitors, "monitor")}: ${about}`] : []),
    ...(notices > 0 ? [counted(notices, "notice")] : []),
  ];
  return parts.join("; ");
}

function reasonOf(events: readonly AlertEvent[]): string {
  const times = events.map(timeOf);
  const [first, last] = [formatTime(Math.min(...times)), formatTime(Math.max(...times))];
  const when = first === last ? `at ${first}` : `from ${first} to ${last}`;
  return `${counted(events.length, "notification")} in one message, ${when}.`;
}

function listOf(entries: readonly Entry[]): string[] {
  const lines = entries.slice(0, MAX_NAMES).map(lineOf);
  const more = entries.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** The name is last, so that a long one does not hide the status. */
function lineOf({ label, name, events }: Entry): string {
  return events > 1 ? `${label}, after ${events} changes: ${name}` : `${label}: ${name}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function timeOf(event: AlertEvent): number {
  return isTransition(event) ? event.result.createdAt : event.at;
}
