import { SECOND } from "../duration.ts";
import { groupOf } from "../monitors/status.ts";
import type { Course, CourseOutage } from "./course.ts";
import type { MonitorPast, PastNotification, ReplayedRange } from "./history.ts";
import {
  type Bounds,
  type Figure,
  MAX_LISTED,
  type ReplayCounts,
  type ReplayedOutage,
  type ReplayOutcome,
} from "./outcome.ts";
import type { ReplayedMessage } from "./replayed-alerts.ts";

/*
 * Compares what was recorded with a replay. An outage that is the same in both courses is taken as it was recorded, with its
 * notifications: only a difference between the courses changes a figure. Times are milliseconds since 1970.
 */

/** An outage as it counts: with how many notifications, and when the first channel was notified of the trouble. */
interface Counted extends ReplayedOutage {
  notifications: number;
  firstAt: number | null;
}

interface Totals {
  outages: number;
  notifications: number;
  downMs: number;
}

/** @property changed for each guess, the outages and the totals, which are bounds where the rules do not explain the record */
export interface MonitorComparison {
  present: Totals;
  changed: { totals: Totals[]; gone: Counted[]; missed: Counted[]; later: number[] }[];
  isExact: boolean;
}

export function compareCourses(
  monitor: MonitorPast,
  { range, present, changed }: { range: ReplayedRange; present: Course; changed: readonly Course[] },
): MonitorComparison {
  const recorded = recordedOutages(monitor, present, range);
  const loose = looseNotifications(monitor, range);
  const totals = totalsOf(recorded, { loose, range });
  const computed = totalsOfCourse(present, range);
  const outcomes = changed.map((course) => {
    const all = merged({ monitor, recorded, present, changed: course, range });
    const outages = all.map(({ outage }) => outage);
    // The same, except where a recorded outage that the change alters is not the one that the rules compute.
    const isLooseSame = signatureOfMessages(course.loose) === signatureOfMessages(present.loose);
    const merely = totalsOf(outages, { loose: isLooseSame ? loose : looseOf(course, range), range });
    const byDifference = shifted(totals, { from: computed, to: totalsOfCourse(course, range) });
    return {
      totals: isSame(merely, byDifference) ? [merely] : [merely, byDifference],
      gone: recorded.filter((one) => began(one, range) && !overlapping(outages, one)),
      missed: outages.filter((one) => began(one, range) && one.firstAt === null),
      later: all.flatMap(({ outage, before }) =>
        outage.firstAt !== null && before !== null && began(outage, range) ? [outage.firstAt - before] : [],
      ),
    };
  });
  const isUnchanged = changed.every((course) => course === present);
  const isExplained = outcomes.every((one) => one.totals.length === 1);
  const isExact = isUnchanged || (isExplained && changed.every((course) => course.isExact));
  return { present: totals, changed: outcomes, isExact };
}

function totalsOfCourse(course: Course, range: ReplayedRange): Totals {
  const counted = course.outages.map((one) => countedOf("", one, range));
  return totalsOf(counted, { loose: looseOf(course, range), range });
}

function looseOf({ loose }: Course, { from }: ReplayedRange): number {
  return loose.filter(({ at }) => at >= from).length;
}

/** Totals that change as others do. */
function shifted(totals: Totals, { from, to }: Record<"from" | "to", Totals>): Totals {
  const add = (of: (totals: Totals) => number) => Math.max(0, of(totals) + of(to) - of(from));
  return {
    outages: add(({ outages }) => outages),
    notifications: add(({ notifications }) => notifications),
    downMs: add(({ downMs }) => downMs),
  };
}

function isSame(one: Totals, other: Totals): boolean {
  const isNear = Math.abs(one.downMs - other.downMs) < SECOND;
  return isNear && one.outages === other.outages && one.notifications === other.notifications;
}

function countedOf(monitorId: string, outage: CourseOutage, { from }: ReplayedRange): Counted {
  const { startedAt, endedAt, status, messages } = outage;
  const notifications = messages.filter(({ at }) => at >= from).length;
  return { monitorId, startedAt, endedAt, status, notifications, firstAt: firstOf(outage) };
}

/** The recorded outages, with the time of the first notification as the course has it, so that the courses can be compared. */
function recordedOutages(monitor: MonitorPast, present: Course, range: ReplayedRange): Counted[] {
  const byOutage = Map.groupBy(monitor.notifications, ({ outageId }) => outageId);
  const computed = new Map(present.outages.map((one) => [one.startedAt, one]));
  return monitor.outages.map(({ id, startedAt, endedAt, status }) => {
    const sent = (byOutage.get(id) ?? []).filter(wasSent);
    const first = sent.find((one) => isTrouble(one))?.sentAt ?? null;
    const same = computed.get(startedAt);
    const firstAt = first === null ? null : ((same && firstOf(same)) ?? first);
    const notifications = sent.filter(({ sentAt }) => (sentAt ?? 0) >= range.from).length;
    return { monitorId: monitor.id, startedAt, endedAt, status, notifications, firstAt };
  });
}

/** Notifications of outages that are no longer known, or of none. */
function looseNotifications({ outages, notifications }: MonitorPast, { from }: ReplayedRange): number {
  const known = new Set(outages.map(({ id }) => id));
  return notifications.filter(
    (one) => wasSent(one) && (one.sentAt ?? 0) >= from && !known.has(one.outageId ?? ""),
  ).length;
}

function wasSent({ sentAt }: PastNotification): boolean {
  return sentAt !== null;
}

function isTrouble({ status }: Pick<PastNotification, "status">): boolean {
  return groupOf[status] !== "healthy";
}

/** @property before when somebody was notified first as it was; null if nobody was */
interface Merged {
  outage: Counted;
  before: number | null;
}

/** The outages that there would have been: the recorded ones, except where the courses differ. */
function merged({
  monitor,
  recorded,
  present,
  changed,
  range,
}: {
  monitor: MonitorPast;
  recorded: readonly Counted[];
  present: Course;
  changed: Course;
  range: ReplayedRange;
}): Merged[] {
  if (present === changed) return recorded.map((outage) => ({ outage, before: outage.firstAt }));
  const presentBy = new Map(present.outages.map((one) => [signatureOf(one), one]));
  const kept = new Set<CourseOutage>();
  const added: CourseOutage[] = [];
  for (const outage of changed.outages) {
    const same = presentBy.get(signatureOf(outage));
    if (same) kept.add(same);
    else added.push(outage);
  }
  const removed = new Set(present.outages.flatMap((one) => (kept.has(one) ? [] : [one.startedAt])));
  const remaining = recorded.filter(({ startedAt }) => !removed.has(startedAt));
  const notified = recorded.filter(({ firstAt }) => firstAt !== null);
  const before = (one: CourseOutage) => overlapping(notified, one)?.firstAt ?? null;
  const all = [
    ...remaining.map((outage) => ({ outage, before: outage.firstAt })),
    ...added.map((one) => ({ outage: countedOf(monitor.id, one, range), before: before(one) })),
  ];
  return all.toSorted((one, other) => one.outage.startedAt - other.outage.startedAt);
}

/** Equal for outages that the courses have in common. */
function signatureOf({ startedAt, endedAt, status, messages }: CourseOutage): string {
  return [startedAt, endedAt, status, signatureOfMessages(messages)].join("\n");
}

function signatureOfMessages(messages: readonly ReplayedMessage[]): string {
  return messages.map(({ channelId, at, isReminder }) => `${channelId} ${at} ${isReminder}`).join("\n");
}

type Lasting = Pick<CourseOutage, "startedAt" | "endedAt">;

/** The first of some outages, by the time of their start, that lasts while another one does. The outages of a monitor follow one another. */
function overlapping<One extends Lasting>(
  outages: readonly One[],
  { startedAt, endedAt }: Lasting,
): One | undefined {
  let [low, high] = [0, outages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((outages[middle]?.endedAt ?? Number.POSITIVE_INFINITY) < startedAt) low = middle + 1;
    else high = middle;
  }
  const found = outages[low];
  return found && found.startedAt <= (endedAt ?? Number.POSITIVE_INFINITY) ? found : undefined;
}

function firstOf({ messages }: CourseOutage): number | null {
  return messages.find((one) => isTrouble(one))?.at ?? null;
}

function began({ startedAt }: Pick<CourseOutage, "startedAt">, { from, to }: ReplayedRange): boolean {
  return startedAt >= from && startedAt < to;
}

function totalsOf(
  outages: readonly Counted[],
  { loose, range }: { loose: number; range: ReplayedRange },
): Totals {
  const counted = outages.filter((one) => began(one, range));
  return {
    outages: counted.length,
    notifications: loose + outages.reduce((sum, one) => sum + one.notifications, 0),
    downMs: counted.reduce(
      (sum, one) => sum + Math.min(one.endedAt ?? range.to, range.to) - one.startedAt,
      0,
    ),
  };
}

/** The answer about all monitors. */
export function summarize(
  comparisons: readonly MonitorComparison[],
  { from, to }: ReplayedRange,
): ReplayOutcome {
  const isExact = comparisons.every((one) => one.isExact);
  const figure = (bounds: Bounds): Figure => (isExact ? bounds.min : bounds);
  const known = (value: number) => figure({ min: value, max: value });
  const presentSum = (of: (totals: Totals) => number) =>
    comparisons.reduce((sum, one) => sum + of(one.present), 0);
  const bounds = (of: (totals: Totals) => number): Bounds => {
    const sums = { min: 0, max: 0 };
    for (const { changed } of comparisons) {
      const values = changed.flatMap(({ totals }) => totals.map(of));
      sums.min += Math.min(...values);
      sums.max += Math.max(...values);
    }
    return sums;
  };
  const countsOf = (outages: Bounds, notifications: Bounds, downMs: Bounds): ReplayCounts => ({
    outages: figure(outages),
    notifications: figure(notifications),
    downSeconds: figure({ min: Math.round(downMs.min / SECOND), max: Math.round(downMs.max / SECOND) }),
  });
  const single = (value: number) => ({ min: value, max: value });
  const listed = (outages: readonly Counted[]) =>
    outages
      .toSorted((one, other) => one.startedAt - other.startedAt)
      .slice(0, MAX_LISTED)
      .map(shown);
  return {
    ...{ from, to, monitorCount: comparisons.length },
    present: countsOf(
      single(presentSum(({ outages }) => outages)),
      single(presentSum(({ notifications }) => notifications)),
      single(presentSum(({ downMs }) => downMs)),
    ),
    changed: countsOf(
      bounds(({ outages }) => outages),
      bounds(({ notifications }) => notifications),
      bounds(({ downMs }) => downMs),
    ),
    later: laterOf(comparisons, figure, known),
    missed: listed(comparisons.flatMap(({ changed }) => anyOf(changed.map(({ missed }) => missed)))),
    gone: listed(comparisons.flatMap(({ changed }) => inAll(changed.map(({ gone }) => gone)))),
    exact: isExact,
  };
}

function laterOf(
  comparisons: readonly MonitorComparison[],
  figure: (bounds: Bounds) => Figure,
  known: (value: number) => Figure,
): ReplayOutcome["later"] {
  const guesses = Math.max(1, ...comparisons.map(({ changed }) => changed.length));
  const byGuess = Array.from({ length: guesses }, (_, guess) =>
    comparisons.flatMap(({ changed }) => (changed[guess] ?? changed[0])?.later ?? []),
  );
  const medians = byGuess.map(median);
  const longest = byGuess.map((some) => some.reduce((most, one) => Math.max(most, one), some[0] ?? 0));
  if (byGuess.every((some) => some.length === 0)) return { medianSeconds: known(0), maxSeconds: known(0) };
  const secondsOf = (values: readonly number[]) =>
    figure({ min: Math.trunc(Math.min(...values) / SECOND), max: Math.trunc(Math.max(...values) / SECOND) });
  return { medianSeconds: secondsOf(medians), maxSeconds: secondsOf(longest) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return 0;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Outages that at least one guess has. */
function anyOf(guesses: readonly Counted[][]): Counted[] {
  return [...new Map(guesses.flat().map((one) => [one.startedAt, one])).values()];
}

/** Outages that every guess has. */
function inAll(guesses: readonly Counted[][]): Counted[] {
  const [first = [], ...others] = guesses;
  return first.filter((one) =>
    others.every((some) => some.some(({ startedAt }) => startedAt === one.startedAt)),
  );
}

function shown({ monitorId, startedAt, endedAt, status }: Counted): ReplayedOutage {
  return { monitorId, startedAt, endedAt, status };
}
