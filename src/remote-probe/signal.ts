import type { Clock } from "../clock.ts";

/** Ends the wait of a loop early. */
export interface Signal {
  /** Ends the wait, or the next one if none is under way. */
  wake(): void;
  /** @param ms at most; without it, until the next call of `wake` */
  wait(ms?: number): Promise<void>;
}

export function createSignal(clock: Pick<Clock, "after">): Signal {
  let isAwake = false;
  let end: (() => void) | undefined;

  return {
    wake() {
      if (end) end();
      else isAwake = true;
    },
    async wait(ms) {
      if (!isAwake) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const cancel = ms === undefined ? undefined : clock.after(ms, resolve);
        end = resolve;
        await promise;
        end = undefined;
        cancel?.();
      }
      isAwake = false;
    },
  };
}
