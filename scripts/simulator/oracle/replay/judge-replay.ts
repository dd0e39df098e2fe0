import type { Bounds, Figure, ReplayOutcome } from "../../../../src/domain/replay/outcome.ts";
import type { Violation } from "../../ledger.ts";
import {
  type Counts,
  countsOf,
  type Happened,
  type HappenedNotification,
  type HappenedOutage,
} from "./recorded.ts";

interface Stretch {
  from: number;
  to: number;
}

/** A replay may round the seconds of each outage. */
const ROUNDING = 1;

const NAMES = ["outages", "notifications", "downSeconds"] as const;

/** The differences of a replay without changes from the records: it must reproduce them exactly (behavior 25.2). */
export function judgeUnchanged(outcome: ReplayOutcome, recorded: Happened, range: Stretch): Violation[] {
  const { present, changed, later, missed, gone, exact } = outcome;
  const counts = countsOf(recorded, range);
  const wrong = (text: string): Violation => ({
    rule: "a replay without changes is what was recorded",
    at: range.from,
    text,
  });
  return [
    ...(exact ? [] : [wrong("it is not exact")]),
    ...NAMES.flatMap((name) =>
      [present[name], changed[name]].flatMap((figure) =>
        isWithin(figure, counts[name], slack(name, counts)) && isSingle(figure)
          ? []
          : [wrong(`${name}: recorded ${counts[name]}, found ${shown(figure)}`)],
      ),
    ),
    ...(missed.length + gone.length > 0 ? [wrong(`${missed.length} missed, ${gone.length} gone`)] : []),
    ...(later.medianSeconds === 0 && later.maxSeconds === 0
      ? []
      : [wrong(`later by ${shown(later.maxSeconds)}`)]),
  ];
}

/** The differences of a replay that computes everything, outage by outage and channel by channel. */
export function judgeComputed(computed: Happened, recorded: Happened): Violation[] {
  return [
    ...differences(computed.outages, recorded.outages, {
      key: ({ monitor, startedAt, endedAt, status }) => `${monitor} ${startedAt} ${endedAt} ${status}`,
      violation: (one, text) => ({
        at: one.startedAt,
        monitor: one.monitor,
        text: `${text} ${shownOutage(one)}`,
      }),
      rule: "a computed replay has the recorded outages",
    }),
    ...differences(computed.notifications, recorded.notifications, {
      key: ({ monitor, channel, at, status, isReminder }) =>
        `${monitor} ${channel} ${at} ${status} ${isReminder}`,
      violation: (one, text) => ({
        ...{ at: one.at, monitor: one.monitor, channel: one.channel },
        text: `${text} ${one.isReminder ? "repetition of " : ""}${one.status}`,
      }),
      rule: "a computed replay has the recorded notifications",
    }),
  ].sort((a, b) => a.at - b.at);
}

function shownOutage({ endedAt, status }: HappenedOutage): string {
  return `${status} until ${endedAt === null ? "the end" : new Date(endedAt).toISOString()}`;
}

function differences<One extends HappenedOutage | HappenedNotification>(
  found: readonly One[],
  expected: readonly One[],
  {
    key,
    violation,
    rule,
  }: {
    key: (one: One) => string;
    violation: (one: One, text: string) => Omit<Violation, "rule">;
    rule: string;
  },
): Violation[] {
  const left = new Map<string, number>();
  for (const one of expected) left.set(key(one), (left.get(key(one)) ?? 0) + 1);
  const extra = found.filter((one) => {
    const count = left.get(key(one)) ?? 0;
    left.set(key(one), count - 1);
    return count <= 0;
  });
  const missing = expected.filter((one) => {
    const count = left.get(key(one)) ?? 0;
    left.set(key(one), count - 1);
    return count > 0;
  });
  return [
    ...missing.map((one) => ({ rule, ...violation(one, "only recorded:") })),
    ...extra.map((one) => ({ rule, ...violation(one, "only computed:") })),
  ];
}

/** A figure of a replay with changes. */
export interface TriedFigure {
  name: (typeof NAMES)[number];
  isSingle: boolean;
  isWithin: boolean;
}

/** Whether the truth lies within the bounds of a replay. @param truth what happened in a run with the changed settings */
export function judgeTried(
  { changed }: ReplayOutcome,
  truth: Happened,
  { range, about }: { range: Stretch; about: string },
): { figures: TriedFigure[]; violations: Violation[] } {
  const counts = countsOf(truth, range);
  const figures = NAMES.map((name) => ({
    name,
    isSingle: isSingle(changed[name]),
    isWithin: isWithin(changed[name], counts[name], slack(name, counts)),
  }));
  const violations = figures
    .filter((figure) => !figure.isWithin)
    .map(({ name }) => ({
      rule: "the truth lies within the bounds of a replay with changes",
      at: range.from,
      text: `${about}: ${name} were ${counts[name]}, the replay says ${shown(changed[name])}`,
    }));
  return { figures, violations };
}

function slack(name: (typeof NAMES)[number], { outages }: Counts): number {
  return name === "downSeconds" ? ROUNDING * Math.max(1, outages) : 0;
}

function isWithin(figure: Figure, value: number, by: number): boolean {
  const { min, max } = boundsOf(figure);
  return value >= min - by && value <= max + by;
}

function isSingle(figure: Figure): boolean {
  const { min, max } = boundsOf(figure);
  return min === max;
}

function boundsOf(figure: Figure): Bounds {
  return typeof figure === "number" ? { min: figure, max: figure } : figure;
}

function shown(figure: Figure): string {
  const { min, max } = boundsOf(figure);
  return min === max ? String(min) : `${min} to ${max}`;
}
