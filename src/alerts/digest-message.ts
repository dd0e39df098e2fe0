import {
  type AlertEvent,
  type AlertMessage,
  type Fact,
  isTransition,
  type Notice,
} from "../domain/alerts/alert-event.ts";
import type { Transition } from "../domain/alerts/delivery.ts";
import { fill } from "../domain/locale-formats.ts";
import { bySeverity, groupOf, levelOf, type Status, type StatusGroup } from "../domain/monitors/status.ts";
import { type Localization, wordsOf } from "./languages/localization.ts";
import { describeNotice } from "./notice-message.ts";
import { causeTitle, stillLabel } from "./transition-message.ts";

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
export function describeDigest(
  events: readonly AlertEvent[],
  baseUrl: string,
  local: Localization,
): AlertMessage {
  const monitors = entriesOf(events.filter(isTransition), local);
  const notices = events
    .filter((event): event is Notice => !isTransition(event))
    .map((notice) => noticeEntry(notice, local));
  const entries = [...monitors, ...notices].toSorted((a, b) => a.rank - b.rank);
  const counts = countsOf(monitors, local);
  const causes = new Set(entries.map(({ cause }) => cause));
  const [only] = causes.size === 1 ? causes : [];
  const noticesFact = { label: local.texts.fact.notices, value: local.number(notices.length) };
  return {
    title: titleOf(monitors.length, { counts, notices: notices.length, cause: only, local }),
    reason: reasonOf(events, local),
    facts: [...counts, ...(notices.length > 0 ? [noticesFact] : [])],
    list: only === undefined && causes.size > 1 ? listByCause(entries, local) : listOf(entries, local),
    link: `${baseUrl}/outages`,
    group: entries[0]?.group ?? "healthy",
    at: Math.max(...events.map(timeOf)),
    words: wordsOf(local),
  };
}

/** One entry for each monitor. */
function entriesOf(transitions: readonly Transition[], local: Localization): Entry[] {
  const byMonitor = Map.groupBy(transitions, ({ monitor }) => monitor.id);
  return [...byMonitor.values()].flatMap((own) => {
    const latest = own.at(-1);
    return latest ? [{ ...monitorEntry(latest, local), events: own.length }] : [];
  });
}

function monitorEntry(
  { monitor, status, reminder, cause }: Transition,
  local: Localization,
): Omit<Entry, "events"> {
  const label = reminder ? stillLabel(status, local) : local.texts.status[status];
  const statuses: readonly Status[] = bySeverity[monitor.type];
  const severity = statuses.indexOf(status);
  return {
    ...{ label, name: local.isolated(monitor.name), group: groupOf[status], rank: rankOf(status, severity) },
    cause: cause && causeTitle(cause, local),
  };
}

/** By the group first. Within one, the statuses of each type are in their own order. */
function rankOf(status: Status, severity: number): number {
  return 10 * -levelOf[status] + severity;
}

/** After the monitors of its group. */
function noticeEntry(notice: Notice, local: Localization): Entry {
  const { title, group } = describeNotice(notice, "", local);
  const rank = group === "healthy" ? 9 : -1;
  return { label: local.texts.digest.notice, name: title, group, rank, events: 1, cause: undefined };
}

/** How many monitors have each status, worst first. */
function countsOf(monitors: readonly Entry[], { number }: Localization): Fact[] {
  const sorted = monitors.toSorted((a, b) => a.rank - b.rank);
  const byLabel = Map.groupBy(sorted, ({ label }) => label);
  return [...byLabel].map(([label, { length }]) => ({ label, value: number(length) }));
}

/** @param cause the title of the cause of all of them */
function titleOf(
  monitors: number,
  {
    counts,
    notices,
    cause,
    local,
  }: { counts: Fact[]; notices: number; cause: string | undefined; local: Localization },
): string {
  const { digest } = local.texts;
  const statuses = local.list(
    counts.map(({ label, value }) => fill(digest.countOf, { count: value, status: label })),
  );
  if (cause !== undefined) return fill(digest.withCause, { cause, statuses });
  const ofMonitors = local.plural(digest.monitors, monitors, { statuses });
  const ofNotices = local.plural(digest.notices, notices);
  if (monitors > 0 && notices > 0)
    return fill(digest.monitorsAndNotices, { monitors: ofMonitors, notices: ofNotices });
  return monitors > 0 ? ofMonitors : ofNotices;
}

function reasonOf(events: readonly AlertEvent[], local: Localization): string {
  const { at, between } = local.texts.digest;
  const times = events.map(timeOf);
  const [from, to] = [local.time(Math.min(...times)), local.time(Math.max(...times))];
  return from === to
    ? local.plural(at, events.length, { time: from })
    : local.plural(between, events.length, { from, to });
}

function listOf(entries: readonly Entry[], local: Localization): string[] {
  const lines = entries.slice(0, MAX_NAMES).map((entry) => lineOf(entry, local));
  return withMore(lines, entries.length - lines.length, local);
}

function withMore(lines: string[], more: number, { texts, plural }: Localization): string[] {
  return more > 0 ? [...lines, plural(texts.digest.andMore, more)] : lines;
}

/** The monitors of each cause under its title, the cause of the worst monitor first; then the other monitors (behavior 22.26). */
function listByCause(entries: readonly Entry[], local: Localization): string[] {
  const groups = [...Map.groupBy(entries, ({ cause }) => cause)];
  const sorted = groups.toSorted(([one], [other]) => Number(one === undefined) - Number(other === undefined));
  const lines: string[] = [];
  let named = 0;
  for (const [cause, some] of sorted) {
    const left = MAX_NAMES - lines.length - (cause === undefined ? 0 : 1);
    if (left <= 0) break;
    if (cause !== undefined) lines.push(cause);
    lines.push(...some.slice(0, left).map((entry) => lineOf(entry, local)));
    named += Math.min(left, some.length);
  }
  return withMore(lines, entries.length - named, local);
}

/** The name is last, so that a long one does not hide the status. */
function lineOf({ label, name, events }: Entry, { texts, plural }: Localization): string {
  const { line, lineAfterChanges } = texts.digest;
  return events > 1
    ? plural(lineAfterChanges, events, { status: label, name })
    : fill(line, { status: label, name });
}

function timeOf(event: AlertEvent): number {
  return isTransition(event) ? event.result.createdAt : event.at;
}
