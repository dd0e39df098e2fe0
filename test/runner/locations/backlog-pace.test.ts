import { describe, expect, test } from "bun:test";
import { createBacklogPace } from "../../../src/runner/locations/intake.ts";
import { createTestClock } from "../../support/clock.ts";

describe("behavior 13.37: batches of a backlog", () => {
  test("are recorded one at a time, with a pause of three times their duration", async () => {
    const clock = createTestClock();
    const pace = createBacklogPace(clock);
    const starts: number[] = [];
    const task = async () => {
      starts.push(clock.monotonic());
      await clock.sleep(100);
      return starts.length;
    };
    const results = [1, 2, 3].map(() => pace.run(task));
    await clock.settle();
    await clock.advance(2000);
    expect(starts).toEqual([0, 400, 800]);
    expect(await Promise.all(results)).toEqual([1, 2, 3]);
  });

  test("continue after one that failed, whose sender gets the error", async () => {
    const clock = createTestClock();
    const pace = createBacklogPace(clock);
    const failed = pace.run(() => Promise.reject(new Error("full")));
    const next = pace.run(async () => "recorded");
    await expect(failed).rejects.toThrow("full");
    await clock.settle();
    expect(await next).toBe("recorded");
  });
});
