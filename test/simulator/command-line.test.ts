import { expect, test } from "bun:test";
import { isLong } from "../support/long.ts";

const run = (...args: string[]) =>
  Bun.spawnSync([process.execPath, "scripts/simulator/simulate.ts", ...args]);

const REFUSED: [string[], string][] = [
  [["--sed", "1"], "Unknown option '--sed'"],
  [["--seeds", "5..2"], "--seeds must begin with the smaller number, got 5..2"],
  [["--seeds", "1-5"], "--seeds must be a range such as 1..200, got 1-5"],
  [["--seed", "1", "--days", "0"], "--days must be a whole number from 1 to 3650, got 0"],
  [["--seed", "1", "--nodes", "2"], "--nodes needs --engine postgres"],
  [[], "give either --seed N or --seeds A..B"],
];

test.each(isLong ? REFUSED : REFUSED.slice(0, 1))(
  "the options %j are refused with exit code 2",
  (args, message) => {
    const { exitCode, stderr } = run(...args);
    expect(stderr.toString()).toContain(message);
    expect(exitCode).toBe(2);
  },
);

test.skipIf(!isLong)("a seed prints its trace, and its speed in monitor-hours", () => {
  const { exitCode, stdout } = run("--seed", "1", "--days", "1", "--monitors", "2");
  expect(stdout.toString()).toMatch(/^trace [0-9a-f]{16}\n1 seeds, 0 failed; 48 monitor-hours in /);
  expect(exitCode).toBe(0);
});
