import { expect, test } from "bun:test";
import { StorageFault } from "../../../src/errors.ts";
import { createCheckinDeadline } from "../../../src/runner/checks/recorder.ts";
import { createTestClock } from "../../support/clock.ts";

test("behavior 12.6: a check-in that waits too long is refused within 9 s, each at its own time", async () => {
  const clock = createTestClock();
  const deadline = createCheckinDeadline(clock);
  const refusedAfter: number[] = [];
  const wait = () => {
    const start = clock.monotonic();
    deadline.begin((error) => {
      expect(error).toBeInstanceOf(StorageFault);
      refusedAfter.push(clock.monotonic() - start);
    });
  };
  for (const pause of [0, 300, 4000, 20_000]) {
    await clock.advance(pause);
    wait();
  }
  await clock.advance(9000);
  expect(refusedAfter).toHaveLength(4);
  for (const ms of refusedAfter) expect(ms).toBeWithin(8500, 9001);
});

test("a check-in that is written in time is not refused later", async () => {
  const clock = createTestClock();
  const refused: unknown[] = [];
  const end = createCheckinDeadline(clock).begin((error) => refused.push(error));
  end();
  await clock.advance(20_000);
  expect(refused).toEqual([]);
});
