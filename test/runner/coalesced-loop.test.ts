import { expect, test } from "bun:test";
import { createCoalescedLoop } from "../../src/runner/coalesced-loop.ts";

function start() {
  const runs: PromiseWithResolvers<void>[] = [];
  const loop = createCoalescedLoop(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  /** Ends the last run. */
  const end = async () => {
    runs.at(-1)?.resolve();
    await Bun.sleep(0);
  };
  return { loop, runs, end };
}

test("a wake runs the task immediately", () => {
  const { loop, runs } = start();
  loop.wake();
  expect(runs).toHaveLength(1);
});

test("wakes during a run cause one more run, after it", async () => {
  const { loop, runs, end } = start();
  for (let wakes = 0; wakes < 5; wakes++) loop.wake();
  expect(runs).toHaveLength(1);
  await end();
  expect(runs).toHaveLength(2);
  await end();
  expect(runs).toHaveLength(2);
  loop.wake();
  expect(runs).toHaveLength(3);
});

test("nothing runs after a stop, also if a wake came before it", async () => {
  const { loop, runs, end } = start();
  loop.wake();
  loop.wake();
  loop.stop();
  await end();
  loop.wake();
  expect(runs).toHaveLength(1);
});
