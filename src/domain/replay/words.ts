import { formatDuration } from "../duration.ts";
import type { Bounds, Figure, ReplayOutcome } from "./outcome.ts";

/** The part of an outcome that its sentence is about. */
export type SummarizedOutcome = Pick<ReplayOutcome, "present" | "changed" | "later"> & {
  missed: { length: number };
  gone: { length: number };
};

/**
 * An outcome as a sentence without its end, for example `3 messages instead of 41 in 30 days; the 3 outages 38 s later`, or
 * `3 to 5 messages` (behavior 25.42). The page loads this file early: no schema.
 *
 * @param days of the replay
 */
export function outcomeInWords(outcome: SummarizedOutcome, days: number): string {
  const { present, changed, later, missed } = outcome;
  const range = `in ${counted(days, "day")}`;
  if (isAsBefore(outcome))
    return `nothing would differ ${range}: ${counted(changed.notifications, "message")}`;
  const isSameCount = isSame(changed.notifications, present.notifications);
  const messages = isSameCount
    ? `${counted(changed.notifications, "message")} as before ${range}`
    : `${counted(changed.notifications, "message")} instead of ${figureInWords(present.notifications)} ${range}`;
  const outages =
    isSameCount && !isSame(changed.outages, present.outages)
      ? `${counted(changed.outages, "outage")} instead of ${figureInWords(present.outages)}`
      : "";
  const delay = delayInWords(later);
  const delayed = delay && `the ${counted(notifiedBothWays(outcome), "outage")} ${delay}`;
  const unnotified = missed.length > 0 ? `${counted(missed.length, "outage")} without a message` : "";
  return [messages, outages, delayed, unnotified].filter(Boolean).join("; ");
}

/** How many outages a delay is about: at most, because the lists of an outcome are bounded. */
function notifiedBothWays({ present, changed, missed }: SummarizedOutcome): Figure {
  const [before, after] = [boundsOf(present.outages), boundsOf(changed.outages)];
  return {
    min: Math.max(0, Math.min(before.min, after.min - missed.length)),
    max: Math.max(0, Math.min(before.max, after.max - missed.length)),
  };
}

function isAsBefore({ present, changed, later, gone }: SummarizedOutcome): boolean {
  return (
    isSame(changed.notifications, present.notifications) &&
    isSame(changed.outages, present.outages) &&
    isSame(changed.downSeconds, present.downSeconds) &&
    delayInWords(later) === "" &&
    gone.length === 0
  );
}

/** For example `38 s later`, with the longest delay if that is another one; empty without a delay. */
function delayInWords({ medianSeconds, maxSeconds }: ReplayOutcome["later"]): string {
  const [median, most] = [shiftInWords(medianSeconds), shiftInWords(maxSeconds)];
  if (median === most) return median;
  return median === "" ? `at most ${most}` : `${median}, at most ${most}`;
}

/** For example `38 s later`; empty for no delay. @param seconds less than 0 if it is earlier */
export function shiftInWords(seconds: Figure): string {
  const { min, max } = boundsOf(seconds);
  if (min === 0 && max === 0) return "";
  const [from, to] = [lengthInWords(min), lengthInWords(max)];
  if (min < 0 && max > 0) return `${from} earlier to ${to} later`;
  if (max <= 0) return `${span(to, from)} earlier`;
  return `${span(from, to)} later`;
}

function span(from: string, to: string): string {
  return from === to ? from : `${from} to ${to}`;
}

/** @param seconds also less than 0 */
export function lengthInWords(seconds: number): string {
  return seconds === 0 ? "0 s" : formatDuration(Math.abs(seconds) * 1000);
}

/** For example `1 message`, `3 messages` or `3 to 5 messages`. */
function counted(count: Figure, noun: string): string {
  const { min, max } = boundsOf(count);
  return `${figureInWords(count)} ${noun}${min === 1 && max === 1 ? "" : "s"}`;
}

/** For example `3` or `3 to 5`. */
export function figureInWords(value: Figure, format: (value: number) => string = String): string {
  const { min, max } = boundsOf(value);
  return span(format(min), format(max));
}

/** Whether two figures are known, and the same. */
function isSame(one: Figure, other: Figure): boolean {
  const [first, second] = [boundsOf(one), boundsOf(other)];
  return first.min === first.max && second.min === second.max && first.min === second.min;
}

function boundsOf(value: Figure): Bounds {
  return typeof value === "number" ? { min: value, max: value } : value;
}
