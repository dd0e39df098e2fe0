/** Runs the tasks of all periods with one timer, so that an idle process wakes once a second. */
export interface Ticker {
  /** See `Clock.every`. @param task must not fail @returns stops it */
  add(ms: number, task: () => Promise<void>): () => void;
}

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** An hourly task runs some minutes past the hour, when fewer jobs of the machine and of users run. */
const PAST_HOUR = 197_000;

export function createTicker(): Ticker {
  const ticks = new Set<(before: number, now: number) => void>();
  let last = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(): void {
    timer = setTimeout(tick, SECOND - (Date.now() % SECOND));
  }

  function tick(): void {
    const before = last;
    last = Date.now();
    plan();
    for (const one of [...ticks]) one(before, last);
  }

  return {
    add(ms, task) {
      const periodOf = numberingOf(ms);
      let isRunning = false;
      async function onTick(before: number, now: number): Promise<void> {
        // Also after a step of the wall clock, or if the timer was early.
        if (isRunning || periodOf(before) === periodOf(now)) return;
        isRunning = true;
        await task();
        isRunning = false;
      }
      if (ticks.size === 0) {
        last = Date.now();
        plan();
      }
      ticks.add(onTick);
      return () => {
        if (ticks.delete(onTick) && ticks.size === 0) clearTimeout(timer);
      };
    },
  };
}

/** @returns the number of the period of a time */
function numberingOf(ms: number): (time: number) => number {
  if (ms === HOUR) return (time) => Math.floor((time - PAST_HOUR) / HOUR);
  if (ms < SECOND || MINUTE % ms !== 0 || ms % SECOND !== 0)
    throw new Error(`every() takes whole seconds that divide a minute, or one hour, got ${ms} ms`);
  return (time) => Math.floor(time / ms);
}
