import { StorageFault } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { EndedAttempt, PendingDelivery, Store } from "../../store/store.ts";

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
