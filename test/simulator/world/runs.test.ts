import { expect, test } from "bun:test";
import { runJobs } from "../../../scripts/simulator/run-jobs.ts";

test("hung runs and silent jobs are found within a second, and no healthy job fails", () => {
  const { hung = 0, silences = 0, falseAlarms, latestMs } = runJobs(1, 4).runs ?? {};
  expect(hung).toBeGreaterThan(4);
  expect(silences).toBeGreaterThan(4);
  expect(falseAlarms).toBe(0);
  expect(latestMs).toBeLessThanOrEqual(1000);
});

test("equal seeds give equal traces", () => {
  expect(runJobs(2, 1).trace).toBe(runJobs(2, 1).trace);
  expect(runJobs(2, 1).trace).not.toBe(runJobs(3, 1).trace);
});
