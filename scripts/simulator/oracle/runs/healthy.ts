import type { RunJob, Span, Trouble, TrueRun } from "../../truth/runs/run-job.ts";

const [HOUR, DAY] = [3_600_000, 86_400_000];

/** After a time without a run, two runs at once, or a check-in without a start, a learned rhythm is taught again. */
const UNTAUGHT: readonly Trouble[] = ["dead", "retried", "lost start", "swapped"];

/** When a job may be late, by the truth: from a run that was not as it should be until one that was has ended, by time. */
export function troubledSpans(job: RunJob): Span[] {
  const { runs, from, to, learnedAfter, steps } = job;
  const spans: Span[] = learnedAfter > 0 ? [{ from, to: from + learnedAfter }] : [];
  for (const [place, run] of runs.entries()) {
    if (!run.trouble) continue;
    // If several hang in a row, only the first one teaches.
    const isRow = Boolean(runs[place - 1]?.trouble);
    const longer =
      isRow || isOvertaken(run, runs[place + 1]) || UNTAUGHT.includes(run.trouble) ? learnedAfter : 0;
    spans.push({ from: run.due, to: goodEndAfter(run, runs.slice(place + 1), to) + longer });
  }
  for (let at = 0; at < steps.length; at += 2) {
    const [ahead, back] = [steps[at]?.at ?? 0, steps[at + 1]?.at ?? to];
    spans.push({ from: ahead, to: goodEndAfter({ start: back, end: back }, runs, to) + learnedAfter });
  }
  return spans;
}

/** Whether a run ends after the next one has begun. Without names, its end then is a check-in without a start. */
function isOvertaken({ end }: TrueRun, next: TrueRun | undefined): boolean {
  return end !== null && next !== undefined && next.start < end;
}

/** The first good run may still count for the one before it; the second one does not. */
function goodEndAfter(
  { start, end }: Pick<TrueRun, "start" | "end">,
  later: readonly TrueRun[],
  to: number,
): number {
  const since = Math.max(start, end ?? start);
  const isGood = (run: TrueRun) => run.trouble === null && run.end !== null && run.start >= since;
  const first = later.findIndex(isGood);
  const second = later.slice(first + 1).find(isGood);
  return first < 0 ? to + DAY : (second?.end ?? to + DAY);
}

/** Whether a run takes longer than an hour: before a limit is known, its job may be late in it (behavior 18.18). */
export function outlastsUnknownLimit({ start, end }: TrueRun): boolean {
  return end === null || end - start > HOUR;
}
