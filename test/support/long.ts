/** Whether the tests that take long run too, as with `scripts/test --long`. Otherwise a sample of each subject does. */
export const isLong = process.env.LONG_TESTS === "1";
