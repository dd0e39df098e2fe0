import type { Clock } from "../clock.ts";
import type { EvidenceLook } from "../domain/evidence/asked-look.ts";
import { FRESH_FOR, MAX_BATCH, type SentObservation } from "../domain/locations/protocol.ts";
import type { Logger } from "../log.ts";
import type { TimeSample } from "../runner/database-clock.ts";
import { createFaultLog } from "../runner/loop.ts";
import type { ObservationBuffer } from "../store/buffer/observation-buffer.ts";
import { LinkError, type LinkProblem, looksIn, type ServerLink } from "./http-link.ts";
import type { Connection } from "./remote-probe.ts";

/** Milliseconds between the starts of two requests (behavior 13.44). */
const GAP = { urgent: 100, backlog: 250, usual: 1000 };

/** Sends what is in the buffer, one batch at a time. */
export interface Sender {
  start(): void;
  /** There is something new. @param isUrgent whether the server needs it at once */
  wake(isUrgent: boolean): void;
  /** Sends what is left. @param timeout milliseconds */
  stop(timeout: number): Promise<void>;
}

export function createSender({
  link,
  buffer,
  stream,
  clock,
  connection,
  retry,
  addTime,
  onLooks,
  log,
}: {
  link: Pick<ServerLink, "send">;
  buffer: ObservationBuffer;
  stream: string;
  clock: Pick<Clock, "now" | "monotonic" | "after" | "sleep">;
  connection: Connection;
  retry: RetryDelay;
  /** Gets the time of the server from each answer. */
  addTime: (sample: TimeSample) => void;
  /** Gets the looks that the server asks for. */
  onLooks: (looks: EvidenceLook[]) => void;
  log: Logger;
}): Sender {
  const faults = createFaultLog(log, "observations can't be read from the database");
  const news = createSignal(clock);
  const recovery = createSignal(clock);
  let state: "running" | "stopping" | "stopped" = "running";
  let isUrgent = false;
  let limit = MAX_BATCH;
  let sentAt = Number.NEGATIVE_INFINITY;
  let sending: Promise<void> = Promise.resolve();

  connection.onChange((now) => now === "up" && recovery.wake());

  async function run(): Promise<void> {
    while (state !== "stopped") await step();
  }

  async function step(): Promise<void> {
    const isStopping = state === "stopping";
    if (isStopping && (buffer.waiting() === 0 || isBarred())) return stopNow();
    if (buffer.waiting() === 0) return news.wait();
    if (isBarred()) return recovery.wait();
    const wait = isStopping ? 0 : waitForNext();
    return wait > 0 ? news.wait(wait) : sendNext();
  }

  /** Whether the next request for work must show first that the server takes observations. */
  function isBarred(): boolean {
    return ["key_refused", "incompatible"].includes(connection.state());
  }

  /** Milliseconds until the next batch. */
  function waitForNext(): number {
    const gap = isUrgent ? GAP.urgent : buffer.waiting() >= MAX_BATCH ? GAP.backlog : GAP.usual;
    return sentAt + gap - clock.monotonic();
  }

  async function sendNext(): Promise<void> {
    isUrgent = false;
    sentAt = clock.monotonic();
    const observations = nextBatch();
    // The disk can't be read, or rejects deletions: see `ObservationBuffer`.
    if (observations.length === 0) return state === "running" ? recovery.wait(GAP.usual) : stopNow();
    try {
      await send(observations);
      faults.succeeded();
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      await failed(error, observations);
    }
  }

  function nextBatch(): SentObservation[] {
    try {
      return buffer.next({ freshSince: clock.now() - FRESH_FOR, limit });
    } catch (error) {
      faults.failed(error);
      return [];
    }
  }

  async function send(observations: SentObservation[]): Promise<void> {
    const before = clock.monotonic();
    const answer = await link.send({ stream, observations });
    if (state === "stopped") return;
    addTime({ before, remote: answer.now, after: clock.monotonic() });
    buffer.delete(observations.map(({ sequence }) => sequence));
    limit = MAX_BATCH;
    retry.reset();
    connection.succeeded();
    onLooks(looksIn(answer));
    if (answer.refused > 0) log.warn({ refused: answer.refused }, "the server refused observations");
  }

  async function failed(error: LinkError, observations: SentObservation[]): Promise<void> {
    if (error.problem === "batch_refused") return halve(error, observations);
    connection.failed(error);
    isUrgent = true;
    if (state !== "running") stopNow();
    else if (!isBarred()) await recovery.wait(retry.after(error));
  }

  function stopNow(): void {
    state = "stopped";
  }

  /** Finds the observation that the server does not take, so that it does not keep the others from being sent. */
  function halve({ message }: LinkError, observations: SentObservation[]): void {
    isUrgent = true;
    if (observations.length > 1) limit = Math.ceil(observations.length / 2);
    else {
      log.error(
        { reason: message, observation: observations[0] },
        "the server never takes this observation: it is lost",
      );
      buffer.delete(observations.map(({ sequence }) => sequence));
      limit = MAX_BATCH;
    }
  }

  return {
    start() {
      sending = run().catch((error) => log.error({ err: error }, "observations can't be sent any more"));
    },
    wake(urgent) {
      isUrgent ||= urgent;
      news.wake();
    },
    async stop(timeout) {
      state = "stopping";
      news.wake();
      recovery.wake();
      await Promise.race([sending, clock.sleep(timeout)]);
      state = "stopped";
    },
  };
}

/** Ends the wait of a loop early. */
interface Signal {
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

/** Milliseconds. After a failure of the network, each delay is twice as long as the one before. */
const FIRST = 500;
const MAX_DELAY = 30_000;

/** Other problems need an operator (behavior 13.45). */
const FIXED: Partial<Record<LinkProblem, number>> = { key_refused: 30_000, incompatible: 60_000 };

/** When a failed request is sent again. */
export interface RetryDelay {
  /** @returns milliseconds */
  after(error: LinkError): number;
  reset(): void;
}

/** @param random from 0 to 1: the probes of a server must not return at the same time after its restart */
export function createRetryDelay(random: () => number): RetryDelay {
  let failures = 0;
  return {
    after({ problem, retryAfter }) {
      const fixed = FIXED[problem];
      if (fixed !== undefined) return fixed;
      const longest = Math.min(MAX_DELAY, FIRST * 2 ** failures++);
      return Math.max(retryAfter, longest * (0.5 + random() / 2));
    },
    reset() {
      failures = 0;
    },
  };
}
