/** Does something again and again, never twice at the same time. */
export interface Ticker {
  start(): void;
  stop(): void;
}

/**
 * A timer and no cron job: croner 11 sleeps for as long as the clock was put back.
 *
 * @param period milliseconds
 * @param onError told what the job throws; it goes on
 */
export function createTicker(
  period: number,
  job: () => Promise<void>,
  onError: (error: unknown) => void,
): Ticker {
  let timer: Timer | undefined;
  let running = false;

  async function tick(): Promise<void> {
    if (running) return;
    running = true;
    try {
      await job();
    } catch (error) {
      onError(error);
    } finally {
      running = false;
    }
  }

  return {
    start() {
      timer ??= setInterval(tick, period);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
