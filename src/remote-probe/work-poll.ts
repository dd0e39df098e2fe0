import type { Clock } from "../clock.ts";
import type { Work } from "../domain/locations/protocol.ts";
import type { Logger } from "../log.ts";
import type { TimeSample } from "../runner/time-estimate.ts";
import type { Connection } from "./connection.ts";
import type { RetryDelay } from "./retry-delay.ts";
import { LinkError, type PollQuery, type ServerLink } from "./server-link.ts";
import { createSignal } from "./signal.ts";

/**
 * A request that is answered at once shows the time of the server closely. If no observations are sent either, the probe
 * sends such a request after this time, in milliseconds.
 */
const LOOSE_AFTER = 300_000;

/** A round trip that shows the time closely, in milliseconds. */
const CLOSE = 1000;

/** Pause after an answer without news that was not held, in milliseconds: the server has another probe with this key. */
const PAUSE = 1000;

const PAUSE_AFTER_FAULT = 30_000;

/** Asks for the work of the location, again and again. */
export interface WorkPoll {
  start(): void;
  stop(): void;
}

export function createWorkPoll({
  link,
  clock,
  connection,
  retry,
  state,
  addTime,
  onWork,
  log,
}: {
  link: Pick<ServerLink, "poll">;
  clock: Pick<Clock, "monotonic" | "after">;
  connection: Connection;
  retry: RetryDelay;
  /** The state that the probe reports. */
  state: () => Pick<PollQuery, "waiting" | "dropped" | "ping">;
  addTime: (sample: TimeSample) => void;
  /** Called with each answer, after `addTime`. @returns whether it has news */
  onWork: (work: Work) => boolean;
  log: Logger;
}): WorkPoll {
  const end = new AbortController();
  const recovery = createSignal(clock);
  /** Values of the last answer. */
  let known: Pick<PollQuery, "revision" | "after"> = {};
  let closeAt = Number.NEGATIVE_INFINITY;

  connection.onChange((state) => {
    if (state === "up") recovery.wake();
    // A request without a revision gets all monitors at once.
    else known = {};
  });

  async function run(): Promise<void> {
    while (!end.signal.aborted) await recovery.wait(await poll());
  }

  /** @returns how long to wait until the next request, in milliseconds */
  async function poll(): Promise<number> {
    try {
      return await ask();
    } catch (error) {
      if (end.signal.aborted) return 0;
      if (!(error instanceof LinkError)) return failed(error);
      connection.failed(error);
      return retry.after(error);
    }
  }

  /** A fault of this machine, after which the checks go on. */
  function failed(error: unknown): number {
    log.error({ err: error }, "the work of the location could not be taken");
    return PAUSE_AFTER_FAULT;
  }

  async function ask(): Promise<number> {
    const before = clock.monotonic();
    if (before - closeAt > LOOSE_AFTER) known = {};
    const work = await link.poll({ ...known, ...state() }, end.signal);
    const after = clock.monotonic();
    if (end.signal.aborted) return 0;
    if (after - before < CLOSE) closeAt = after;
    addTime({ before, remote: work.now, after });
    const hasNews = onWork(work);
    retry.reset();
    connection.succeeded();
    known = { revision: work.revision, after: work.after };
    return hasNews || after - before > PAUSE ? 0 : PAUSE;
  }

  return {
    start: () => void run(),
    stop() {
      end.abort();
      recovery.wake();
    },
  };
}
