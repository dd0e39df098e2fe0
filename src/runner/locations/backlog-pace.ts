import type { Clock } from "../../clock.ts";

/**
 * Runs tasks one at a time and for at most a part of the time, so that the backlogs of locations do not delay checks and
 * requests. Who waits for a task is slowed down by that.
 */
export interface BacklogPace {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** How many times as long as a task the pause after it is. */
const PAUSE = 3;

export function createBacklogPace(clock: Pick<Clock, "monotonic" | "sleep">): BacklogPace {
  let pausesEnd: Promise<unknown> = Promise.resolve();

  async function pauseAfter(task: Promise<unknown>): Promise<void> {
    const start = clock.monotonic();
    await task.catch(() => {});
    await clock.sleep(PAUSE * (clock.monotonic() - start));
  }

  return {
    async run(task) {
      const previous = pausesEnd;
      const { promise, resolve } = Promise.withResolvers<unknown>();
      pausesEnd = promise;
      await previous;
      const running = task();
      void pauseAfter(running).then(resolve);
      return running;
    },
  };
}
