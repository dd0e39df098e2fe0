import type { Violation } from "../../ledger.ts";
import type { RunJob, Span, TrueRun } from "../../truth/runs/run-job.ts";
import type { Happening, WalkedResult } from "../../world/runs/walk-job.ts";
import { type Expected, type ExpectedOverrun, expectedOf, type Silence } from "./expected.ts";
import { outlastsUnknownLimit, troubledSpans } from "./healthy.ts";
import { latestReports } from "./latest-report.ts";

/** So many runs teach a limit. */
const REMEMBERED = 20;

const HOUR = 3_600_000;

/** Limits are whole milliseconds. */
const ROUNDING = 1;

/** @property foundAfter how long after its limit each run was found that takes too long; milliseconds */
export interface RunVerdict {
  violations: Violation[];
  /** How many results say that a healthy job is in trouble. */
  falseAlarms: number;
  foundAfter: number[];
  /** How many silences of a troubled job had to be reported, and were. */
  silencesFound: number;
}

/**
 * Whether what was recorded of a job is true: a hung run is found at its limit, a dead job in its window, and a healthy one
 * never fails. The truth of a run decides on that, the reports that arrived decide when.
 */
export function judgeRunJob(
  job: RunJob,
  happenings: readonly Happening[],
  results: readonly WalkedResult[],
): RunVerdict {
  const expected = expectedOf(job, happenings);
  const troubled = troubledSpans(job);
  const latestOf = latestReports(job, expected);
  const alarms = results.filter(({ seen }) => seen === "missed" || seen === "overrun");
  const bad = job.runs.filter(({ trouble }) => trouble !== null);
  const violations: Violation[] = [];
  const verdict: RunVerdict = { violations, falseAlarms: 0, foundAfter: [], silencesFound: 0 };
  judgeAnswers();
  judgeOverruns();
  for (const { seen, at } of alarms) if (seen === "missed") judgeMiss(at);
  for (const silence of expected.silences) judgeSilence(silence);
  return verdict;

  /** The answer to each report. */
  function judgeAnswers(): void {
    // With a report, runs are found that took too long before it. They are no answer to it.
    const own = results.filter(({ seen }) => seen !== "overrun" && seen !== "missed");
    const answers = new Map(own.map((result) => [result.event, result]));
    for (const message of job.messages) {
      const seen = answers.get(message)?.seen ?? null;
      const demanded =
        message.kind === "checkin"
          ? expected.repeated.has(message)
            ? null
            : message.isOk
              ? "ok"
              : "failed"
          : job.config.overlap === "fail" && expected.overlaps.has(message)
            ? "overlap"
            : null;
      if (seen !== demanded)
        violate(
          "a report is recorded as what it is",
          message.at,
          `${message.kind}: ${seen}, not ${demanded}`,
        );
      if (message.kind === "checkin") judgeEnd(expected, message, answers.get(message));
    }
  }

  function judgeEnd(
    { ends }: Expected,
    message: RunJob["messages"][number],
    result: WalkedResult | undefined,
  ): void {
    const ended = ends.get(message);
    const { startedAt, durationMs } = (result?.detail?.run ?? {}) as {
      startedAt?: string;
      durationMs?: number;
    };
    const demanded = ended && message.at - ended.start;
    if (durationMs !== demanded)
      violate(
        "an end belongs to its start",
        message.at,
        `it ended a run of ${durationMs} ms, not of ${demanded} ms`,
      );
    else if (ended && Date.parse(startedAt ?? "") - errorAt(message.at) !== ended.start)
      violate("an end belongs to its start", message.at, `its run began at ${startedAt}`);
  }

  function judgeOverruns(): void {
    const waiting = [...expected.overruns];
    for (const { at, judgedAt } of alarms.filter(({ seen }) => seen === "overrun")) {
      const place = waiting.findIndex((one) =>
        one.at.some((moment) => moment - ROUNDING <= at && at <= moment + job.noticedWithin),
      );
      const [found] = place < 0 ? [] : waiting.splice(place, 1);
      if (!found) {
        violate("only a run that takes too long overruns", at, "no open run is at its limit");
        continue;
      }
      if (isHealthy(found)) {
        verdict.falseAlarms++;
        violate("a healthy run never overruns", at, `run ${found.run} takes its usual time`);
      }
      verdict.foundAfter.push(judgedAt - at);
    }
    for (const { at, run } of waiting.filter(({ isCertain }) => isCertain))
      violate("a hung run is found at its limit", at[0] ?? 0, `nothing is recorded of run ${run}`);
  }

  function isHealthy({ run }: ExpectedOverrun): boolean {
    const { trouble, lostWithServer } = job.runs[run] as TrueRun;
    // Without a `rid`, a late end may have ended a later run early, whose length is then unknown.
    const isTaught = job.runs.slice(Math.max(0, run - REMEMBERED), run).every((one) => one.trouble === null);
    return trouble === null && lostWithServer === undefined && isTaught;
  }

  function judgeMiss(at: number): void {
    if (troubled.some(({ from, to }) => from <= at && at <= to)) return;
    const silence = expected.silences.findLast(({ from }) => from <= at);
    if (silence && isAllowedAfterLoss(at, silence.limit ?? HOUR)) return;
    const isUnknown = !silence || silence.limit === null;
    if (
      isUnknown &&
      job.runs.some((run) => run.start < at && at <= (run.end ?? at) && outlastsUnknownLimit(run))
    )
      return;
    verdict.falseAlarms++;
    const since = silence
      ? `${Math.round((at - silence.from) / 1000)} s after a check-in`
      : "before any check-in";
    violate("a healthy job is never late", at, `a missed run ${since}`);
  }

  /** If the end of a run was lost with the server, its job may be late when the limit has passed again, if no start came before. */
  function isAllowedAfterLoss(at: number, limit: number): boolean {
    return job.runs.some(({ lostWithServer }, place) => {
      if (lostWithServer === undefined || at < lostWithServer + limit - ROUNDING) return false;
      const next = job.runs.slice(place + 1).find(({ trouble, end }) => trouble === null && end !== null);
      return at <= (next?.start ?? job.to);
    });
  }

  function judgeSilence(silence: Silence): void {
    const { from, to } = silence;
    if (!isTroubled({ from, to })) return;
    const latest = latestOf(silence) + job.noticedWithin + 2 * ROUNDING;
    if (latest >= to) return;
    const isFound = alarms.some(({ judgedAt }) => from < judgedAt && judgedAt <= latest);
    if (isFound) verdict.silencesFound++;
    else
      violate(
        "a silent job is found",
        latest,
        `nothing is recorded since the check-in ${Math.round((latest - from) / 1000)} s ago`,
      );
  }

  /** Whether something is wrong with a run in a silence. */
  function isTroubled({ from, to }: Span): boolean {
    return bad.some(({ due, start }) => due < to && start >= from);
  }

  function errorAt(moment: number): number {
    return job.steps.filter(({ at }) => at <= moment).reduce((sum, { byMs }) => sum + byMs, 0);
  }

  function violate(rule: string, at: number, text: string): void {
    violations.push({ rule, at, monitor: job.name, text });
  }
}
