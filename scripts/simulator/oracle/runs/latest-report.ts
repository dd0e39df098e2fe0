import type { RunJob, Span } from "../../truth/runs/run-job.ts";
import { type ExpectedRun, expectedRuns, runAfter, runAfterCheckin } from "../cron-rhythm.ts";
import { createLearner, graceOf } from "../learned-rhythm.ts";
import type { Silence, Taught } from "./expected.ts";

const HOUR = 3_600_000;

/** How long an open run of an unknown limit keeps a job from being late. */
const UNKNOWN_LIMIT = HOUR;

/** From a moment to the deadline that is counted from it. */
type Window = (from: number) => number;

/** @property after the latest deadline @property earliest the earliest one @property afterExcuse the latest one after an excuse */
interface Windows {
  after: Window;
  earliest: Window;
  afterExcuse: Window;
}

/** When a silence must have been reported at the latest. */
export function latestReports(job: RunJob, taught: Taught): (silence: Silence) => number {
  const windowOf = windowReader(job, taught);
  const excuses: Span[] = [
    ...job.absences,
    ...job.stalls,
    ...job.pauses,
    ...job.steps.map(({ at, byMs }) => ({ from: at, to: at + Math.max(0, byMs) })),
  ];
  return (silence) => {
    const { reference, from, firstStart, excusedFrom, limit, isByStarts } = silence;
    const { after, earliest, afterExcuse } = windowOf(silence);
    // A job that would already be late gets one window from its check-in.
    const deadline =
      earliest(reference) > from ? after(reference) : Math.max(after(reference), afterExcuse(from));
    const byCheckins = { ...silence, reference: from, isByStarts: false };
    const isUnknown = limit === null && isByStarts;
    const excusedUntil = (start: number) =>
      Math.max(start + (limit ?? UNKNOWN_LIMIT), isUnknown ? windowOf(byCheckins).after(from) : 0);
    // An open run keeps the job from being late if it began in time, or before its silence was noticed.
    const withRun = (at: number) =>
      firstStart !== null && firstStart <= at + job.noticedWithin
        ? Math.max(at, excusedUntil(firstStart))
        : at;
    let latest = withRun(deadline);
    for (const { from: begin, to } of job.windows)
      if (begin <= latest && to >= from)
        // A job that would be late in the window only because of an open run is late at its end.
        latest =
          begin > deadline + job.noticedWithin
            ? Math.max(latest, to)
            : withRun(Math.max(latest, afterExcuse(to)));
    for (const excuse of excuses)
      if (excuse.from <= latest && excuse.to >= from)
        latest = withRun(Math.max(latest + excuse.to - excuse.from, afterExcuse(excuse.to)));
    // A start that comes after the job is late excuses nothing before it.
    if (excusedFrom !== null && excusedFrom <= latest + job.noticedWithin)
      latest = Math.max(latest, excusedFrom + (limit ?? UNKNOWN_LIMIT));
    return latest + (job.config.cron === undefined ? 0 : behindWithin(job, { from, to: latest }));
  };
}

/** By how much the clock of the server was behind in a stretch, as which it sees the runs of an expression. */
function behindWithin({ steps }: RunJob, { from, to }: Span): number {
  const behind = steps.filter(
    ({ at, byMs }, place) => byMs < 0 && at <= to && (steps[place + 1]?.at ?? to) >= from,
  );
  return Math.max(0, ...behind.map(({ byMs }) => -byMs));
}

function windowReader(
  { config: { cron, timezone, period, grace }, steps, from, to }: RunJob,
  taught: Taught,
): (silence: Silence) => Windows {
  if (cron !== undefined) {
    let runs: ExpectedRun[] | undefined;
    return () => {
      runs ??= expectedRuns({ cron, ...(timezone && { timezone }) }, { from, to, grace });
      const all = runs;
      const after = (at: number) => runAfterCheckin(all, at).deadline;
      return { after, earliest: after, afterExcuse: (at) => runAfter(all, at).deadline };
    };
  }
  if (period !== undefined) {
    const window = period * 1000 + graceOf(period * 1000, grace);
    const after = (at: number) => at + window;
    return () => ({ after, earliest: after, afterExcuse: after });
  }
  return ({ isByStarts, reference, from: since }) => {
    const histories = isByStarts ? [taught.starts, taught.allStarts] : [taught.checkins];
    const rhythms = histories.map((history) => {
      const past = history.filter((at) => at < Math.min(reference, since));
      return learnedRhythm([...past, reference], { steps, grace });
    });
    return {
      after: (at) => at + Math.max(...rhythms.map(({ window }) => window.high)),
      earliest: (at) => at + Math.min(...rhythms.map(({ window }) => window.low)),
      afterExcuse: (at) =>
        at + Math.max(...rhythms.map((one) => one.windowAfterOutage({ low: at, high: at }).high)),
    };
  };
}

function learnedRhythm(
  past: readonly number[],
  { steps, grace }: Pick<RunJob, "steps"> & { grace: number | undefined },
) {
  const learner = createLearner(grace);
  for (const [place, at] of past.slice(1).entries()) {
    const start = past[place] ?? at;
    const stepped = steps.filter((step) => start < step.at && step.at < at);
    const ahead = stepped.reduce((sum, { byMs }) => sum + Math.max(0, byMs), 0);
    const length = at - start;
    learner.add({ start, low: length - ahead, high: length + ahead, isUncertain: stepped.length > 0 });
  }
  return learner.rhythm(past.at(-1) ?? 0);
}
