import {
  boundsOf,
  isAsBefore,
  isSame,
  notifiedBothWays,
  type SummarizedOutcome,
} from "../../../domain/replay/figures.ts";
import type { Figure, ReplayOutcome } from "../../../domain/replay/outcome.ts";
import type { EnglishPlural } from "../../languages/table.ts";
import { fill, formOf, plural, texts } from "../languages/texts.ts";
import { formatDuration } from "../ui/durations.ts";
import { formatNumber } from "../ui/numbers.ts";

/**
 * An outcome in the language of the reader, for example `3 messages instead of 41 in 30 days; the 3 outages 38 s later`, or
 * `3 to 5 messages` (behavior 25.42).
 *
 * @param length of the replay, in days
 */
export function outcomeWords(outcome: SummarizedOutcome, length: number): string {
  const words = texts.replay;
  const { present, changed, later, missed } = outcome;
  const days = plural(words.days, length);
  const messages = figureWords(changed.notifications);
  if (isAsBefore(outcome)) return fill(formFor(words.nothing, changed.notifications), { days, messages });
  const isSameCount = isSame(changed.notifications, present.notifications);
  const before = figureWords(present.notifications);
  const delay = delayWords(later);
  const both = notifiedBothWays(outcome);
  const parts = [
    isSameCount
      ? fill(formFor(words.sameMessages, changed.notifications), { days, messages })
      : fill(formFor(words.messages, changed.notifications), { days, messages, before }),
    isSameCount &&
      !isSame(changed.outages, present.outages) &&
      fill(formFor(words.outages, changed.outages), {
        outages: figureWords(changed.outages),
        before: figureWords(present.outages),
      }),
    delay && fill(formFor(words.delayed, both), { outages: figureWords(both), delay }),
    missed.length > 0 && plural(words.missed, missed.length),
  ];
  return parts.filter(Boolean).join(words.separator);
}

/** The form for a figure. A range has the form of its end, except that it is never singular. */
function formFor<Forms extends EnglishPlural>(forms: Forms, figure: Figure): Forms["other"] {
  const { min, max } = boundsOf(figure);
  return formOf(forms, min === max ? min : Math.max(2, max));
}

/** For example `38 s later`, with the longest delay if that is another one; empty without a delay. */
function delayWords({ medianSeconds, maxSeconds }: ReplayOutcome["later"]): string {
  const [median, most] = [shiftWords(medianSeconds), shiftWords(maxSeconds)];
  const { atMost, medianAtMost } = texts.replay.delay;
  if (median === most) return median;
  return median === "" ? fill(atMost, { most }) : fill(medianAtMost, { median, most });
}

/** For example `38 s later`; empty for no delay. @param seconds less than 0 if it is earlier */
export function shiftWords(seconds: Figure): string {
  const words = texts.replay.delay;
  const { min, max } = boundsOf(seconds);
  if (min === 0 && max === 0) return "";
  const [from, to] = [lengthWords(min), lengthWords(max)];
  if (min < 0 && max > 0) return fill(words.earlierToLater, { earlier: from, later: to });
  if (max <= 0) return fill(words.earlier, { duration: rangeOf(to, from) });
  return fill(words.later, { duration: rangeOf(from, to) });
}

function rangeOf(from: string, to: string): string {
  return from === to ? from : fill(texts.replay.range, { from, to });
}

/** @param seconds also less than 0 */
export function lengthWords(seconds: number): string {
  return seconds === 0 ? texts.replay.delay.none : formatDuration(Math.abs(seconds) * 1000);
}

/** For example `3` or `3 to 5`. */
export function figureWords(value: Figure, format: (value: number) => string = formatNumber): string {
  const { min, max } = boundsOf(value);
  return rangeOf(format(min), format(max));
}
