import { expect, test } from "bun:test";
import { runSeed } from "../../scripts/simulator/run-seed.ts";

/** Milliseconds. A seed takes some seconds of processor time. */
const TIME_LIMIT = 120_000;

/** Seeds that failed once, with what was wrong then. Only as long as the truth of a seed is drawn in the same way. */
test.each([["checks as long as their interval, which delay each other", 2, { days: 1, monitors: 3 }]])(
  "%s",
  async (_, seed, options) => {
    const { violations } = await runSeed(seed, options);
    expect(violations).toEqual([]);
  },
  TIME_LIMIT,
);
