import type { Bounds, Figure, ReplayOutcome } from "../../../../src/domain/replay/outcome.ts";
import type { Violation } from "../../ledger.ts";
import { type Counts, countsOf, type Happened } from "./recorded.ts";

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
    ...(gone.length > 0 ? [wrong(`${gone.length} outages are gone`)] : []),
    ...missed
      .filter(({ startedAt }) => !recorded.outages.some((outage) => outage.startedAt === startedAt))
      .map(({ startedAt }) => wrong(`an outage since ${new Date(startedAt).toISOString()} is missed`)),
    ...(later.medianSeconds === 0 && later.maxSeconds === 0
      ? []
      : [wrong(`later by ${shown(later.maxSeconds)}`)]),
  ];
}

/**
 * So much earlier or later may a replay release a notification, in milliseconds: the server looks every second whether one is due. A
 * repetition is counted from the one before, so that such differences add up.
 */
const INEXACT = 2000;
const INEXACT_REPETITION = 60_000;

/** The differences of a replay that computes everything, outage by outage and channel by channel. */
export function judgeComputed(computed: Happened, recorded: Happened): Violation[] {
  const outages = unmatched(computed.outages, recorded.outages, {
    key: ({ monitor, startedAt, endedAt, status }) => `${monitor} ${startedAt} ${endedAt} ${status}`,
    fits: () => true,
  });
  const notifications = unmatched(computed.notifications, recorded.notifications, {
    key: ({ monitor, channel, status, isReminder }) => `${monitor} ${channel} ${status} ${isReminder}`,
    fits({ at, isReminder }, made) {
      const by = isReminder ? INEXACT_REPETITION : INEXACT;
      return at >= made.at - by && at <= made.by + by;
    },
  });
  return [
    ...outages.map(({ one: { startedAt: at, monitor, endedAt, status }, origin }) => ({
      ...{ rule: "a computed replay has the recorded outages", at, monitor },
      text: `only ${origin}: ${status} until ${endedAt === null ? "the end" : new Date(endedAt).toISOString()}`,
    })),
    ...notifications.map(({ one: { at, monitor, channel, status, isReminder }, origin }) => ({
      ...{ rule: "a computed replay has the recorded notifications", at, monitor, channel },
      text: `only ${origin}: ${isReminder ? "repetition of " : ""}${status}`,
    })),
  ].sort((a, b) => a.at - b.at);
}

type Origin = "computed" | "recorded";

/** Each of them without one of the other origin that has an equal key and fits. */
function unmatched<One>(
  computed: readonly One[],
  recorded: readonly One[],
  { key, fits }: { key: (one: One) => string; fits: (computed: One, recorded: One) => boolean },
): { one: One; origin: Origin }[] {
  const left = Map.groupBy(computed, key);
  const missing = recorded.filter((one) => {
    const own = left.get(key(one)) ?? [];
    const at = own.findIndex((other) => fits(other, one));
    if (at >= 0) own.splice(at, 1);
    return at < 0;
  });
  return [
    ...missing.map((one) => ({ one, origin: "recorded" as const })),
    ...[...left.values()].flat().map((one) => ({ one, origin: "computed" as const })),
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
