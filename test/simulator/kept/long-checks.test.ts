import { expect, test } from "bun:test";
import { runSeed } from "../../../scripts/simulator/run-seed.ts";
import { isLong } from "../../support/long.ts";

// Checks as long as their interval, which delay each other. Only as long as the truth of a seed is drawn in the same way.
test.skipIf(!isLong)(
  "seed 2: checks keep their phase",
  async () => {
    const { violations } = await runSeed(2, { days: 1, monitors: 3 });
    expect(violations).toEqual([]);
  },
  300_000,
);
