import { expect, test } from "bun:test";
import { judgeRunJob } from "../../../../scripts/simulator/oracle/runs/judge-run-job.ts";
import type { Message, RunJob, TrueRun } from "../../../../scripts/simulator/truth/runs/run-job.ts";
import {
  happeningsOf,
  type WalkedResult,
  walkJob,
} from "../../../../scripts/simulator/world/runs/walk-job.ts";

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const FROM = Date.parse("2027-01-04T00:00:00Z");

/** An hourly job whose runs take ten minutes. The twelfth hangs, the twenty-fourth is not made. */
const job = hourly((run) => (run === 12 ? "hung" : run === 24 ? "dead" : null));
const happenings = happeningsOf(job);
const results = walkJob(job, happenings);

function hourly(troubleOf: (run: number) => TrueRun["trouble"]): RunJob {
  const runs = Array.from({ length: 48 }, (_, run): TrueRun => {
    const [start, trouble] = [FROM + run * HOUR, troubleOf(run)];
    return { due: start, start, end: trouble ? null : start + 10 * MINUTE, trouble };
  });
  const messages = runs.flatMap(({ start, end, trouble }, run): Message[] => {
    if (trouble === "dead") return [];
    const started: Message = { kind: "start", at: start, run };
    return end === null ? [started] : [started, { kind: "checkin", at: end, run, isOk: true }];
  });
  return {
    ...{ name: "hourly", from: FROM, to: FROM + 48 * HOUR, config: { period: 3600 }, runs, messages },
    ...{
      absences: [],
      stalls: [],
      pauses: [],
      windows: [],
      steps: [],
      learnedAfter: 0,
      noticedWithin: SECOND,
    },
  };
}

function rulesOf(recorded: readonly WalkedResult[], truth = job): string[] {
  return judgeRunJob(truth, happeningsOf(truth), recorded).violations.map(({ rule }) => rule);
}

const isOverrun = ({ seen }: WalkedResult) => seen === "overrun";

/** A result beside those that are recorded. */
function added(seen: WalkedResult["seen"], at: number): WalkedResult[] {
  return [...results, { seen, at, judgedAt: at, detail: null, event: null }];
}

test("a hung run and a dead job are found, and nothing else", () => {
  expect(rulesOf(results)).toEqual([]);
  expect(
    results.filter(({ event }) => event === null).map(({ seen, at }) => [seen, (at - FROM) / MINUTE]),
  ).toEqual([
    ["overrun", 12 * 60 + 15],
    ["missed", 24 * 60 + 12],
  ]);
});

test("a hung run that is not recorded is a violation", () => {
  expect(rulesOf(results.filter((result) => !isOverrun(result)))).toContain(
    "a hung run is found at its limit",
  );
});

test("a hung run that is recorded twice, or at another time, is a violation", () => {
  const overrun = results.find(isOverrun);
  if (!overrun) throw new Error("no overrun");
  expect(rulesOf([...results, overrun])).toEqual(["only a run that takes too long overruns"]);
  const later = results.map((result) => (isOverrun(result) ? { ...result, at: result.at + MINUTE } : result));
  expect(rulesOf(later)).toContain("only a run that takes too long overruns");
});

test("a missed run of a healthy job is a violation", () => {
  expect(rulesOf(added("missed", FROM + 30 * HOUR))).toEqual(["a healthy job is never late"]);
});

test("a dead job that is not recorded is a violation", () => {
  expect(rulesOf(results.filter(({ seen }) => seen !== "missed"))).toEqual(["a silent job is found"]);
});

test("an overrun at the limit of a run that is healthy by the truth is a violation", () => {
  const runs = job.runs.map((run) => (run.trouble === "hung" ? { ...run, trouble: null } : run));
  expect(rulesOf(results, { ...job, runs })).toContain("a healthy run never overruns");
});

test("a check-in that ended another run than its own is a violation", () => {
  const wrong = results.map((result, place) =>
    place === 5
      ? { ...result, detail: { run: { id: "1", startedAt: "2027-01-04T00:00:00Z", durationMs: 1 } } }
      : result,
  );
  expect(rulesOf(wrong)).toEqual(["an end belongs to its start"]);
});

test("a report that is not recorded, or as something else, is a violation", () => {
  expect(rulesOf(results.slice(1))).toContain("a report is recorded as what it is");
  const failed = results.map((result, place) =>
    place === 3 ? { ...result, seen: "failed" as const } : result,
  );
  expect(rulesOf(failed)).toEqual(["a report is recorded as what it is"]);
});
