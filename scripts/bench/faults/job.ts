/** How long a job waits for a response, and between two attempts; milliseconds. */
const PATIENCE = 3000;
const PAUSE = 1000;

export interface Job {
  /** When it sent a request, in milliseconds since 1970. */
  readonly attempts: number[];
  /** Whether any check-in was accepted. */
  hasCheckedIn(): boolean;
  /** Runs immediately, then once per period. */
  start(): void;
  stop(): void;
}

/** A job that checks in after each run. It repeats a check-in until it is accepted. @param period milliseconds */
export function createJob(url: string, period: number): Job {
  const attempts: number[] = [];
  let timer: Timer | undefined;
  let run = 0;
  let accepted = 0;

  async function checkIn(): Promise<void> {
    const own = ++run;
    while (own === run && !(await attempt())) await Bun.sleep(PAUSE);
  }

  async function attempt(): Promise<boolean> {
    attempts.push(Date.now());
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await fetch(url, { signal, keepalive: false }).catch(() => undefined);
    if (response?.ok) accepted++;
    return response?.ok ?? false;
  }

  return {
    attempts,
    hasCheckedIn: () => accepted > 0,
    start() {
      timer = setInterval(checkIn, period);
      void checkIn();
    },
    stop() {
      clearInterval(timer);
      run++;
    },
  };
}
