import { judgeRunJob } from "./oracle/runs/judge-run-job.ts";
import type { Verdict } from "./run-seed.ts";
import { drawRunJob } from "./truth/runs/draw-run-job.ts";
import { happeningsOf, walkJob } from "./world/runs/walk-job.ts";

const HOUR = 3_600_000;

/** The findings in the lives of jobs that report their runs. */
export interface RunFigures {
  runs: number;
  /** Runs that were found because they took too long, and how long after their limit the last of them; milliseconds. */
  hung: number;
  latestMs: number;
  /** Silences of a troubled job that had to be reported. */
  silences: number;
  /** Results that say that a healthy job is in trouble. */
  falseAlarms: number;
}

/** Judges the lives of some jobs that report their runs, by the rules of the product alone: no server runs. */
export function runJobs(seed: number, jobs = 24): Verdict {
  const trace = new Bun.CryptoHasher("sha256");
  const figures: RunFigures = { runs: 0, hung: 0, latestMs: 0, silences: 0, falseAlarms: 0 };
  const verdict: Verdict = {
    ...{ seed, trace: "", violations: [], from: 0, monitorHours: 0, checks: 0, demandedChecks: 0 },
    ...{ checkins: 0, notifications: 0, lives: 0, runs: figures },
  };
  for (let number = 0; number < jobs; number++) {
    const job = drawRunJob(`runs ${seed}/job-${number}`);
    const happenings = happeningsOf(job);
    const results = walkJob(job, happenings);
    const { violations, foundAfter, silencesFound, falseAlarms } = judgeRunJob(job, happenings, results);
    verdict.violations.push(...violations);
    verdict.monitorHours += (job.to - job.from) / HOUR;
    verdict.checkins += job.messages.length;
    figures.runs += job.runs.length;
    figures.hung += foundAfter.length;
    figures.latestMs = Math.max(figures.latestMs, ...foundAfter);
    figures.silences += silencesFound;
    figures.falseAlarms += falseAlarms;
    trace.update(JSON.stringify(results));
  }
  return { ...verdict, trace: trace.digest("hex").slice(0, 16) };
}
