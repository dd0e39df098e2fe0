import { expect } from "bun:test";

/** Milliseconds that a reader waits for an effect, like Playwright for an element. */
const LONG_ENOUGH = 120_000;

/**
 * Waits until what is read equals `expected`. A click ends before the page and the API show its effect, so a test that reads
 * only once after it sees the previous state on a busy machine.
 * @param read such as `() => rows.allTextContents()`
 * @throws the difference between the last reading and `expected`
 */
export function becomes<T>(read: () => Promise<T> | T, expected: T): Promise<void> {
  return holds(async () => {
    expect<unknown>(await read()).toEqual(expected);
  });
}

/** Repeats assertions about the page or the API until they hold. @throws the error of the last attempt */
export async function holds(assert: () => Promise<void>): Promise<void> {
  const end = performance.now() + LONG_ENOUGH;
  // Each attempt takes processor time of the page, which needs it for the effect.
  for (let pause = 20; ; pause = Math.min(2 * pause, 160)) {
    try {
      return await assert();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await Bun.sleep(pause);
  }
}
