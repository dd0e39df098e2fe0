import type { Clock } from "../clock.ts";
import { FRESH_FOR, MAX_BATCH, type SentObservation } from "../domain/locations/protocol.ts";
import type { Logger } from "../log.ts";
import { createFaultLog } from "../runner/fault-log.ts";
import type { TimeSample } from "../runner/time-estimate.ts";
import type { ObservationBuffer } from "../store/buffer/observation-buffer.ts";
import type { Connection } from "./connection.ts";
import type { RetryDelay } from "./retry-delay.ts";
import { LinkError, type ServerLink } from "./server-link.ts";
import { createSignal } from "./signal.ts";

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
