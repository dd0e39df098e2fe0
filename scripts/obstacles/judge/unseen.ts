import { intervalOf } from "./latest.ts";
import type { Span, Watched } from "./run.ts";
import { seconds } from "./words.ts";

/**
 * Stages that no check saw, in words: they prove nothing. Two results are needed, because the check of the first one may have
 * begun before the stage. Nobody checks a job.
 */
export function unseenOf(spans: Span[], { monitor, truths, results }: Watched): string[] {
  if (!results || monitor.type === "SCHEDULED") return [];
  return truths.flatMap(({ isUnseen, mayWait }, at) => {
    const span = spans[at];
    if (!span || isUnseen || mayWait) return [];
    const seen = results.filter(({ createdAt }) => createdAt >= span.settled && createdAt <= span.end);
    if (seen.length >= (at === 0 ? 1 : 2)) return [];
    const [length, interval] = [span.end - span.settled, intervalOf(monitor)].map(seconds);
    return [
      `${seen.length} checks saw stage ${at + 1}, which lasted ${length}, with an interval of ${interval}`,
    ];
  });
}

/** The status after the last stage, in words if it is wrong. */
export function wrongEndOf({ truths, final }: Watched): string[] {
  const last = truths.at(-1);
  if (!last || [last.status, ...(last.also ?? [])].some((status) => status === final)) return [];
  return [`the status was ${final} at the end instead of ${last.status}`];
}
