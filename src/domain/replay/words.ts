import { formatDuration } from "../duration.ts";
import { boundsOf, isAsBefore, isSame, notifiedBothWays, type SummarizedOutcome } from "./figures.ts";
import type { Figure, ReplayOutcome } from "./outcome.ts";

/**
 * An outcome as a sentence without its end, for example `3 messages instead of 41 in 30 days; the 3 outages 38 s later`, or
 * `3 to 5 messages` (behavior 25.42). The page has its own words.
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

/** For example `38 s later`, with the longest delay if that is another one; empty without a delay. */
function delayInWords({ medianSeconds, maxSeconds }: ReplayOutcome["later"]): string {
  const [median, most] = [shiftInWords(medianSeconds), shiftInWords(maxSeconds)];
  if (median === most) return median;
  return median === "" ? `at most ${most}` : `${median}, at most ${most}`;
}

/** For example `38 s later`; empty for no delay. @param seconds less than 0 if it is earlier */
function shiftInWords(seconds: Figure): string {
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
function lengthInWords(seconds: number): string {
  return seconds === 0 ? "0 s" : formatDuration(Math.abs(seconds) * 1000);
}

/** For example `1 message`, `3 messages` or `3 to 5 messages`. */
function counted(count: Figure, noun: string): string {
  const { min, max } = boundsOf(count);
  return `${figureInWords(count)} ${noun}${min === 1 && max === 1 ? "" : "s"}`;
}

/** For example `3` or `3 to 5`. */
function figureInWords(value: Figure, format: (value: number) => string = String): string {
  const { min, max } = boundsOf(value);
  return span(format(min), format(max));
}
