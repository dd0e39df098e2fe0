import type { Clock } from "../clock.ts";
import { StorageFault } from "../errors.ts";

/** For how long, and how often, in milliseconds. */
const RETRY_FOR = 30_000;
const RETRY_AFTER = 500;

/**
 * Repeats a step of the start while a database that nodes share is away: it may restart just now (behavior 12.3).
 *
 * @throws what the last repetition threw
 */
export async function withRetry<Result>(
  clock: Pick<Clock, "monotonic" | "sleep">,
  step: () => Promise<Result>,
): Promise<Result> {
  const until = clock.monotonic() + RETRY_FOR;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof StorageFault) || clock.monotonic() >= until) throw error;
    }
    await clock.sleep(RETRY_AFTER);
  }
}
