import {
  type AlertEvent,
  type AlertMessage,
  type BlindnessNotice,
  type Fact,
  formatTime,
  forNotice,
  isTransition,
  type LocationNotice,
  type MaintenanceNotice,
  type Notice,
  type Notification,
} from "../domain/alerts/alert-event.ts";
import type { Transition } from "../domain/alerts/delivery.ts";
import { formatDuration } from "../domain/duration.ts";
import {
  bySeverity,
  groupOf,
  levelOf,
  type Status,
  type StatusGroup,
  statusLabel,
} from "../domain/monitors/status.ts";
import { oneLine } from "../domain/truncate.ts";
import { describeTransition } from "./transition-message.ts";

/** The most monitors, or notices, that are named; the others are counted (behavior 14.65). */
const MAX_NAMES = 20;

/** One monitor with its latest status, or one notice. @property events number of events of the message about it */
interface Entry {
  label: string;
  name: string;
  group: StatusGroup;
  /** The title of its cause, if it has one in common with others. */
  cause: string | undefined;
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
function describeDigest(events: readonly AlertEvent[], baseUrl: string): AlertMessage {
  const monitors = entriesOf(events.filter(isTransition));
  const notices = events.filter((event): event is Notice => !isTransition(event)).map(noticeEntry);
  const entries = [...monitors, ...notices].toSorted((a, b) => a.rank - b.rank);
  const counts = countsOf(monitors);
  const causes = new Set(entries.map(({ cause }) => cause));
  const [only] = causes.size === 1 ? causes : [];
  return {
    title: titleOf(monitors.length, { counts, notices: notices.length, cause: only }),
    reason: reasonOf(events),
    facts: [...counts, ...(notices.length > 0 ? [{ label: "Notices", value: String(notices.length) }] : [])],
    list: only === undefined && causes.size > 1 ? listByCause(entries) : listOf(entries),
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

function monitorEntry({ monitor, status, reminder, cause }: Transition): Omit<Entry, "events"> {
  const label = reminder ? `Still ${statusLabel[status].toLowerCase()}` : statusLabel[status];
  const statuses: readonly Status[] = bySeverity[monitor.type];
  const severity = statuses.indexOf(status);
  return {
    ...{ label, name: oneLine(monitor.name), group: groupOf[status], rank: rankOf(status, severity) },
    cause: cause && oneLine(cause.title),
  };
}

/** By the group first. Within one, the statuses of each type are in their own order. */
function rankOf(status: Status, severity: number): number {
  return 10 * -levelOf[status] + severity;
}

/** After the monitors of its group. */
function noticeEntry(notice: Notice): Entry {
  const { title, group } = describeNotice(notice, "");
  const rank = group === "healthy" ? 9 : -1;
  return { label: "Notice", name: title, group, rank, events: 1, cause: undefined };
}

/** How many monitors have each status, worst first. */
function countsOf(monitors: readonly Entry[]): Fact[] {
  const sorted = monitors.toSorted((a, b) => a.rank - b.rank);
  const byLabel = Map.groupBy(sorted, ({ label }) => label);
  return [...byLabel].map(([label, { length }]) => ({ label, value: String(length) }));
}

/** @param cause the title of the cause of all of them */
function titleOf(
  monitors: number,
  { counts, notices, cause }: { counts: Fact[]; notices: number; cause: string | undefined },
): string {
  const about = counts.map(({ label, value }) => `${value} ${label}`).join(", ");
  if (cause !== undefined) return `${cause}: ${about}`;
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

/** The monitors of each cause under its title, the cause of the worst monitor first; then the other monitors (behavior 22.26). */
function listByCause(entries: readonly Entry[]): string[] {
  const groups = [...Map.groupBy(entries, ({ cause }) => cause)];
  const sorted = groups.toSorted(([one], [other]) => Number(one === undefined) - Number(other === undefined));
  const lines: string[] = [];
  let named = 0;
  for (const [cause, some] of sorted) {
    const left = MAX_NAMES - lines.length - (cause === undefined ? 0 : 1);
    if (left <= 0) break;
    if (cause !== undefined) lines.push(cause);
    lines.push(...some.slice(0, left).map(lineOf));
    named += Math.min(left, some.length);
  }
  const more = entries.length - named;
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

/** The most monitors that are named. */
const MAX_MONITORS = 10;

/** The message of a notice (behavior 1.60, 13.61, 14.46). @param baseUrl of the page, without a trailing slash */
function describeNotice(notice: Notice, baseUrl: string): AlertMessage {
  return forNotice(notice, {
    location: (one) => describeLocation(one, baseUrl),
    maintenance: (one) => describeMaintenance(one, baseUrl),
    checks: (one) => describeBlindness(one, baseUrl),
  });
}

/** The words of one type of notice. @property since milliseconds since 1970 */
interface Words {
  verdict: string;
  group: StatusGroup;
  reason: (notice: LocationNotice) => string;
  since: (notice: LocationNotice) => number;
}

const words: Record<LocationNotice["type"], Words> = {
  "location.silent": {
    verdict: "is silent",
    group: "warning",
    reason: (notice) => `${silence(notice)} Until there is one, its checks do not count.`,
    since: ({ location, at }) => location.lastSeenAt ?? at,
  },
  "location.connected": {
    verdict: "is connected again",
    group: "healthy",
    reason: () => "Its probe sends requests again, and its checks count.",
    since: ({ at }) => at,
  },
};

function describeLocation(notice: LocationNotice, baseUrl: string): AlertMessage {
  const { verdict, group, reason, since } = words[notice.type];
  return {
    title: `Location ${oneLine(notice.location.name)} ${verdict}`,
    reason: reason(notice),
    facts: [{ label: "Since", value: formatTime(since(notice)) }],
    link: `${baseUrl}/locations`,
    group,
    at: notice.at,
  };
}

function silence({ location: { lastSeenAt }, at }: LocationNotice): string {
  if (lastSeenAt === null) return "Its probe has sent no request yet.";
  return `Its probe has sent no request for ${formatDuration(at - lastSeenAt)}.`;
}

/** The words of a start or an end. */
const maintenanceWords = {
  "maintenance.started": {
    verdict: "started",
    reason: "Changes of the status of its monitors notify nobody until it ends.",
    end: (notice: MaintenanceNotice) => ({ label: "Until", value: formatTime(notice.maintenance.endsAt) }),
  },
  "maintenance.ended": {
    verdict: "ended",
    reason: "Changes of the status of its monitors are notified again.",
    end: (notice: MaintenanceNotice) => ({ label: "Ended", value: formatTime(notice.at) }),
  },
};

/** Its own message, if it has one, is why it takes place. */
function describeMaintenance(notice: MaintenanceNotice, baseUrl: string): AlertMessage {
  const { maintenance, at } = notice;
  const { verdict, reason, end } = maintenanceWords[notice.type];
  return {
    title: `Maintenance ${oneLine(maintenance.title)} ${verdict}`,
    reason: oneLine(maintenance.message ?? "") || reason,
    facts: [
      { label: "Started", value: formatTime(maintenance.startsAt) },
      end(notice),
      { label: "Monitors", value: monitorsOf(notice), isFromUser: true },
    ],
    link: `${baseUrl}/maintenances`,
    group: "healthy",
    at,
  };
}

function describeBlindness(notice: BlindnessNotice, baseUrl: string): AlertMessage {
  const { type, since, monitorCount, at } = notice;
  const isBlind = type === "checks.blind";
  const subject = monitorCount === 1 ? "1 monitor is" : `${monitorCount} monitors are`;
  const reason = isBlind
    ? "stillup has had no answer that says anything about them, for example because its DNS server is silent, or because a proxy or an endpoint of tokens fails. Until it has one, their statuses are those of their last checks."
    : "Checks say again how the monitors are.";
  return {
    title: isBlind ? `${subject} not checked` : "All monitors are checked again",
    reason,
    facts: [
      { label: isBlind ? "Since" : "Not checked since", value: formatTime(since) },
      { label: "Monitors", value: monitorsOf(notice), isFromUser: true },
    ],
    link: `${baseUrl}/`,
    group: isBlind ? "warning" : "healthy",
    at,
  };
}

/** For example `12: Shop front, Billing, 10 more`. */
function monitorsOf({
  monitors,
  monitorCount,
}: Pick<MaintenanceNotice, "monitors" | "monitorCount">): string {
  const names = monitors.slice(0, MAX_MONITORS).map(({ name }) => oneLine(name));
  const more = monitorCount - names.length;
  const listed = [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return listed === "" ? String(monitorCount) : `${monitorCount}: ${listed}`;
}

/** @param baseUrl of the page, without a trailing slash */
export function describeNotification(
  { event, others = [], now, acknowledgeUrl }: Omit<Notification, "id" | "incident">,
  baseUrl: string,
): AlertMessage {
  if (others.length > 0) return describeDigest([event, ...others], baseUrl);
  const message = describeEvent(event, baseUrl, { now });
  return acknowledgeUrl === undefined ? message : { ...message, acknowledgeLink: acknowledgeUrl };
}

/** @param now time of the attempt. Default: time of the event */
export function describeEvent(event: AlertEvent, baseUrl: string, at: { now?: number } = {}): AlertMessage {
  return isTransition(event) ? describeTransition(event, baseUrl, at) : describeNotice(event, baseUrl);
}
