import type { Clock } from "../../clock.ts";
import { MESSAGE_PACE, takesDigests } from "../../domain/alerts/digest.ts";
import { StorageFault } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Due, EndedAttempt, PendingDelivery, Store } from "../../store/store.ts";
import { createFaultLog, createLoop } from "../loop.ts";

export type MadeAttempt = EndedAttempt & { delivery: PendingDelivery };

/** Writes the outcomes of attempts. They are not lost, and their attempts not repeated, while the disk refuses writes. */
export interface AttemptRecords {
  add(made: MadeAttempt): void;
  /** Lets the next `save` write what an earlier one could not. */
  retry(): void;
  /** Writes what was added, in one transaction. Faults are logged. */
  save(): Promise<void>;
}

/** @param onRecorded receives for each attempt whether another one follows */
export function createAttemptRecords({
  store,
  log,
  onRecorded,
}: {
  store: Store;
  log: Logger;
  onRecorded: (made: MadeAttempt, willRetry: boolean) => void;
}): AttemptRecords {
  let added: MadeAttempt[] = [];
  let unrecorded: MadeAttempt[] = [];
  let acceptsRecords = true;

  async function saveGroup(group: MadeAttempt[]): Promise<void> {
    let willRetry: boolean[];
    try {
      willRetry = await store.deliveries.recordAttempts(group);
    } catch (error) {
      // One attempt that can't be written must not keep the others from being written.
      if (group.length === 1 || error instanceof StorageFault) keep(group, error);
      else for (const one of group) await saveGroup([one]);
      return;
    }
    acceptsRecords = true;
    // Before the next attempt of these channels. After a crash, the next answer of the receiver says it again.
    await disableGone(group.filter((_, at) => willRetry[at] === false));
    for (const [at, one] of group.entries()) onRecorded(one, willRetry[at] ?? false);
  }

  async function disableGone(ended: MadeAttempt[]): Promise<void> {
    for (const { delivery, attempt, endedAt } of ended) {
      if (attempt.outcome !== "failed" || !attempt.isGone) continue;
      const { channel } = delivery;
      try {
        await store.channels.disableGone(channel, endedAt);
      } catch (error) {
        log.error({ err: error, channel: channel.id }, "a channel without a receiver could not be disabled");
      }
    }
  }

  function keep(group: MadeAttempt[], error: unknown): void {
    if (acceptsRecords) log.error({ err: error }, "outcomes of deliveries can't be written yet");
    acceptsRecords = false;
    unrecorded.push(...group);
  }

  return {
    add: (made) => void added.push(made),
    retry() {
      added.unshift(...unrecorded);
      unrecorded = [];
    },
    async save() {
      const group = added;
      added = [];
      if (group.length > 0) await saveGroup(group);
    },
  };
}

const REVIEW_EVERY = 1000;

/** Monitors whose notifications are decided in one transaction, which on SQLite is one turn of the event loop. */
const MONITORS_AT_ONCE = 50;

/** How long a request waits for what it changed to be decided, in milliseconds. */
const MAX_WAIT = 3000;

/** Decides about the notifications that are held, muted or hidden, and creates reminders (behavior 14.8 to 14.29). */
export interface AlertReview {
  start(): void;
  /** Decides before the next second, for example after a transition. */
  wake(): void;
  /**
   * Resolves when all that was due at the call is decided, or could not be: a fault is logged, and tried again each second.
   * A request waits for it, so it resolves after some seconds anyway.
   */
  run(): Promise<void>;
  /** Waits for the run under way. */
  stop(): Promise<void>;
}

export function createAlertReview({
  store,
  clock,
  log,
  wakeDispatcher,
  wakeScheduler,
}: {
  store: Pick<Store, "alertReviews">;
  clock: Clock;
  log: Logger;
  wakeDispatcher: () => void;
  wakeScheduler: () => void;
}): AlertReview {
  const loop = createLoop({
    clock,
    every: REVIEW_EVERY,
    task: review,
    onJump({ from, to }) {
      if (to < from) isSetBack = true;
    },
    faults: createFaultLog(log, "could not review held notifications"),
  });
  /** Whether the clock was set back, maybe before the start, so that times of the database may be far ahead. */
  let isSetBack = true;

  async function review(): Promise<void> {
    const now = clock.now();
    if (isSetBack) {
      await store.alertReviews.recall(now);
      isSetBack = false;
    }
    for (let isMore = true; isMore && !loop.isStopped(); ) {
      const reviewed = await store.alertReviews.review(now, MONITORS_AT_ONCE);
      if (reviewed.releases) wakeDispatcher();
      if (reviewed.asksHere) wakeScheduler();
      isMore = reviewed.isMore;
      // A batch blocks other work.
      if (isMore) await clock.sleep(0);
    }
  }

  return {
    start() {
      loop.start();
      loop.wake();
    },
    wake: loop.wake,
    run: () => Promise.race([loop.run(), clock.sleep(MAX_WAIT)]),
    stop: loop.stop,
  };
}

/** How fast this node sends messages to the channels that people read (behavior 14.67): the GCRA with `MESSAGE_PACE`. */
interface Pace {
  /** Milliseconds until a channel may get its next message; 0 if it may now. */
  waitOf(channel: Pick<Due, "channelPk">): number;
  /** Counts a message. */
  sent(channel: Pick<PendingDelivery["channel"], "pk" | "type" | "config">): void;
  /** The most channels that wait. */
  size(): number;
}

export function createPace(clock: Pick<Clock, "monotonic">): Pace {
  const { burst, every } = MESSAGE_PACE;
  /** The theoretical arrival time (TAT) of the next message, by channel, oldest message first. */
  const arrivalTimes = new Map<number, number>();

  function dropEnded(now: number): void {
    for (const [channelPk, arrivalTime] of arrivalTimes) {
      if (arrivalTime > now) return;
      arrivalTimes.delete(channelPk);
    }
  }

  return {
    waitOf({ channelPk }) {
      const arrivalTime = arrivalTimes.get(channelPk);
      if (arrivalTime === undefined) return 0;
      return Math.max(0, arrivalTime - (burst - 1) * every - clock.monotonic());
    },
    sent({ pk: channelPk, type, config }) {
      if (!takesDigests({ type, config })) return;
      const now = clock.monotonic();
      const arrivalTime = Math.max(arrivalTimes.get(channelPk) ?? now, now) + every;
      arrivalTimes.delete(channelPk);
      dropEnded(now);
      arrivalTimes.set(channelPk, arrivalTime);
    },
    size: () => arrivalTimes.size,
  };
}
