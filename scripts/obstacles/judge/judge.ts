import { type Detection, detectionsOf } from "./detections.ts";
import { falsesOf } from "./falses.ts";
import { type Blame, blameOf, noBlame } from "./layers.ts";
import type { Run } from "./run.ts";
import { unseenOf, wrongEndOf } from "./unseen.ts";

/** The errors of a run, in words, and how long it took to know what was true. */
export interface Verdict {
  /** Statements and records that were not true. */
  falses: string[];
  /** Truths that were not known when their stage ended, and a wrong status at the end. */
  missed: string[];
  /** Truths that were known later than the rules allow, and stages that nothing looked at: a busy machine may be the cause. */
  late: string[];
  detections: Detection[];
  /** The layers that the evidence of the run names. */
  blame: Blame;
}

/** Compares what was said of the monitors of a run with what was true. */
export function judge(run: Run): Verdict {
  const { spans, watched, stalls = [] } = run;
  const verdict: Verdict = { falses: [], missed: [], late: [], detections: [], blame: noBlame() };
  for (const one of watched) {
    const named = (line: string) => (watched.length > 1 ? `${one.label}: ${line}` : line);
    const { missed, late, detections } = detectionsOf(spans, one);
    verdict.falses.push(...falsesOf({ spans, stalls }, one).map(named));
    verdict.missed.push(...[...missed, ...wrongEndOf(one)].map(named));
    verdict.late.push(...[...late, ...unseenOf(spans, one)].map(named));
    verdict.detections.push(...detections);
    const { right, unknown, wrong, bytes } = blameOf(run, one);
    verdict.blame.right += right;
    verdict.blame.unknown.push(...unknown.map(named));
    verdict.blame.wrong.push(...wrong.map(named));
    verdict.blame.bytes.push(...bytes);
  }
  return verdict;
}
