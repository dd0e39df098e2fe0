import type { Change } from "../scenario.ts";
import type { Spot } from "./spot.ts";

/** How long a job waits for a response, and between two attempts; milliseconds. */
const PATIENCE = 3000;
const PAUSE = 1000;

const jobs = new WeakMap<Spot, Map<string, Job>>();

/** A job that checks in after each run. It repeats a check-in until it is accepted. */
class Job {
  #run = 0;
  readonly #timer: Timer;

  /** @property every milliseconds from one run to the next */
  constructor(
    private readonly url: string,
    every: number,
  ) {
    this.#timer = setInterval(() => this.#checkIn(), every);
    void this.#checkIn();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#run++;
  }

  async #checkIn(): Promise<void> {
    const own = ++this.#run;
    while (own === this.#run && !(await this.#isAccepted())) await Bun.sleep(PAUSE);
  }

  async #isAccepted(): Promise<boolean> {
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await fetch(this.url, { signal, keepalive: false }).catch(() => undefined);
    return response?.ok ?? false;
  }
}

/** The job of a monitor checks in now, and once per period. @param seconds of the period */
export function runs(seconds: number, label = "it"): Change {
  return (spot) => {
    dies(label)(spot);
    // The first stage begins before the monitor exists.
    void spot.checkin(label).promise.then((url) => {
      const own = jobs.get(spot) ?? new Map<string, Job>();
      jobs.set(spot, own.set(label, spot.own(new Job(url, seconds * 1000))));
    });
  };
}

/** The job of a monitor dies. */
export function dies(label = "it"): Change {
  return (spot) => jobs.get(spot)?.get(label)?.[Symbol.dispose]();
}

/** One check-in by hand. @param query appended to the URL */
export function checksIn(query = "", method = "GET"): Change {
  return (spot) => void spot.checkin("it").promise.then((url) => fetch(`${url}${query}`, { method }));
}
