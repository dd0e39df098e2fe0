import { test } from "bun:test";

/** Whether the tests that take long run too, as with `scripts/test --long`. Otherwise a sample of each subject does. */
export const isLong = process.env.LONG_TESTS === "1";

/** A test that runs only with the long tests. */
export const longTest = test.skipIf(!isLong);

/** How often a random walk is drawn: an ordinary run has a fifth, and each run draws other walks. */
export const walks = (runs: number) => (isLong ? runs : Math.ceil(runs / 5));
