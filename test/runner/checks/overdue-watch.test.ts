import { expect, test } from "bun:test";
import { createLogger } from "../../../src/log.ts";
import { createOverdueWatch } from "../../../src/runner/checks/blindness-watch.ts";
import { createTestClock } from "../../support/clock.ts";

test.each([
  [0, [5, 10, 15, 20, 25, 30]],
  [200, [5, 20]],
])("behavior 1.61: if a count takes %d ms, counts start after %j s", async (takes, starts) => {
  const clock = createTestClock();
  const counts: number[] = [];
  const count = async () => {
    counts.push(clock.monotonic() / 1000);
    if (takes > 0) await clock.sleep(takes);
    return 1;
  };
  const log = createLogger({ level: "silent" });
  const watch = createOverdueWatch({ store: { overdue: { count } }, clock, log });
  watch.start();
  await clock.advance(30_000);
  expect(counts).toEqual(starts);
  await watch.stop();
});
