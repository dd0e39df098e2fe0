import { expectedAfter, isQuiet, latestAfter } from "./latest.ts";
import type { Span, Watched } from "./run.ts";
import { seconds } from "./words.ts";

/** How long a truth took to be known, and what the interval and the confirmations demand; milliseconds. */
export interface Detection {
  took: number;
  expected: number;
}

/** A notification may arrive while the next change begins; milliseconds. */
const EDGE = 200;

/**
 * Each stage whose truth differs from what is known must be said in time.
 *
 * @returns in words the truths that were not said in their stage, and those that were said late
 */
export function detectionsOf(
  spans: Span[],
  { monitor, truths, said }: Watched,
): { missed: string[]; late: string[]; detections: Detection[] } {
  const missed: string[] = [];
  const late: string[] = [];
  const detections: Detection[] = [];
  for (const [at, truth] of truths.entries()) {
    const span = spans[at];
    if (!span || truth.isUnseen || truth.mayWait) continue;
    const first = truths.find(({ isUnseen }) => !isUnseen);
    const quiet = at > 0 && first && isQuiet(first) ? first.status : undefined;
    const known = said.findLast((one) => one.at < span.begin)?.status ?? quiet;
    if (known === truth.status || (known === undefined && isQuiet(truth))) continue;
    const found = said.find(
      (one) => one.status === truth.status && one.at >= span.begin && one.at <= span.end + EDGE,
    );
    const took = found && Math.max(0, found.at - span.settled);
    if (took !== undefined) detections.push({ took, expected: expectedAfter(monitor, truth, known) });
    const latest = latestAfter(monitor, truth, known);
    if (took !== undefined && took <= latest) continue;
    const when =
      took === undefined ? `not within ${seconds(span.end - span.settled)}` : `after ${seconds(took)}`;
    const line = `${truth.status} of stage ${at + 1} was known ${when}, at the latest ${seconds(latest)}`;
    (took === undefined ? missed : late).push(line);
  }
  return { missed, late, detections };
}
