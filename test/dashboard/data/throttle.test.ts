import { expect, test } from "bun:test";
import { throttle } from "../../../src/dashboard/web/data/live-updates.tsx";
import { eventually } from "../../support/eventually.ts";

test("calls while it runs, however many, cause one more run after it", async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const call = throttle(
    () => {
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    },
    () => 0,
  );
  for (let at = 0; at < 3; at++) call();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await eventually(() => runs.length === 2);
  runs[1]?.resolve();
  // The pause of the second run may be over or not.
  call();
  await eventually(() => runs.length === 3);
});

test("calls in the pause wait for its end", async () => {
  let runs = 0;
  const pauses: number[] = [];
  const call = throttle(
    async () => void runs++,
    (took) => {
      pauses.push(took);
      return pauses.length === 1 ? 1_000_000 : 0;
    },
  );
  call();
  await eventually(() => pauses.length === 1);
  call();
  expect(runs).toBe(1);
  expect(pauses[0]).toBeGreaterThanOrEqual(0);
});
