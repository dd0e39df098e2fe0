import type { Status } from "../../../../src/domain/monitors/status.ts";
import type { Ledger } from "../../ledger.ts";
import type { SimAttempt, SimDelivery } from "../attempts.ts";
import type { Stretch } from "../own-faults.ts";
import { united } from "./stretches.ts";

/** How long a notification takes from its release to its first attempt; milliseconds. */
const PROMPT = 5000;

/**
 * One notification that a receiver got, or that was sent to it.
 *
 * @property release when the product decided to send it: it was sent at once, unless its channel was busy
 */
export interface Told {
  delivery: SimDelivery;
  status: Status;
  previousStatus: Status;
  isReminder: boolean;
  startedAt: number;
  release: Stretch;
}

/** The notifications of one channel, by time. */
export interface Receiver {
  told: Told[];
  /** When it had an attempt, or waited for the next one. */
  busy: Stretch[];
}

/** @param disturbed stretches in which nothing is sent in time */
export function receiverOf(channel: string, ledger: Ledger, disturbed: readonly Stretch[]): Receiver {
  const attempts = Map.groupBy(
    ledger.attempts.filter((one) => one.channel === channel),
    ({ id }) => id,
  );
  const busy = unitedWaits([...attempts.values()]);
  const waits = united([...busy, ...disturbed]);
  const told = ledger.deliveries
    .filter((delivery) => delivery.channel === channel)
    .flatMap((delivery) => {
      const [first] = (attempts.get(delivery.id) ?? []).toSorted((a, b) => a.startedAt - b.startedAt);
      return first ? [toldOf(delivery, first, waits)] : [];
    })
    .sort((a, b) => a.startedAt - b.startedAt);
  return { told, busy };
}

/** From the first attempt of each notification until its last one. */
export function unitedWaits(
  notifications: readonly (readonly SimAttempt[])[],
  disturbed: readonly Stretch[] = [],
): Stretch[] {
  const busy = notifications.map((own) => ({
    from: Math.min(...own.map(({ startedAt }) => startedAt)),
    to: Math.max(...own.map(({ endedAt }) => endedAt)) + 1000,
  }));
  return united([...busy, ...disturbed]);
}

function toldOf(delivery: SimDelivery, first: SimAttempt, waits: readonly Stretch[]): Told {
  const { status, previousStatus, startedAt, reminder = false } = first;
  let from = startedAt - PROMPT;
  // A notification that is released while the channel is busy is sent after that.
  const wait = waits.find(
    (one) => one.from < startedAt && one.from - PROMPT <= from && from <= one.to + PROMPT,
  );
  if (wait) from = Math.min(from, wait.from - PROMPT);
  from = Math.max(from, delivery.createdAtWall - 1000);
  return {
    delivery,
    status,
    previousStatus,
    isReminder: reminder,
    startedAt,
    release: { from: Math.min(from, startedAt), to: startedAt },
  };
}
