import type { StatusGroup } from "../../../../src/domain/monitors/status.ts";
import { groupOf } from "../../../../src/domain/monitors/status.ts";
import type { Ledger, SimChannel } from "../../ledger.ts";
import type { SimAttempt } from "../attempts.ts";
import { unitedWaits } from "../calm/told.ts";
import type { Stretch } from "../own-faults.ts";

/** How long a notification takes from its release to its first attempt; milliseconds. */
const PROMPT = 5000;

/**
 * A notification as its receiver knows it.
 *
 * @property release when it was decided: it was sent at once, unless its channel was busy
 * @property isDelivered false if the receiver never took it for certain @property isRejected whether it refused it for good
 */
export interface Received {
  monitor: string;
  group: StatusGroup;
  text: string;
  isReminder: boolean;
  incident: SimAttempt["incident"];
  startedAt: number;
  isDelivered: boolean;
  isRejected: boolean;
  deliveredAt: number;
  /** When its last attempt ended. */
  endedAt: number;
  release: Stretch;
}

/** The notifications of one channel, by time. @property busy when it had an attempt, or waited for the next one */
export interface Inbox {
  channel: SimChannel;
  received: Received[];
  busy: Stretch[];
}

export function inboxOf(channel: SimChannel, ledger: Ledger, disturbed: readonly Stretch[]): Inbox {
  const own = ledger.attempts.filter((attempt) => attempt.channel === channel.name);
  const notifications = [...Map.groupBy(own, keyOf).values()];
  const busy = unitedWaits(notifications);
  const waits = unitedWaits(notifications, disturbed);
  const received = notifications
    .map((attempts) => receivedOf(attempts, waits))
    .sort((a, b) => a.startedAt - b.startedAt);
  return { channel, received, busy };
}

/** A deleted monitor has no list of deliveries that would name the parts of a message. */
function keyOf({ id, monitor, resultId, status, reminder, incident }: SimAttempt): string {
  return id || [monitor, resultId, status, reminder, incident?.action].join(" ");
}

function receivedOf(attempts: readonly SimAttempt[], waits: readonly Stretch[]): Received {
  const [first] = attempts.toSorted((a, b) => a.startedAt - b.startedAt) as [SimAttempt];
  const delivered = attempts.find(({ outcome }) => outcome === "delivered");
  const { monitor, previousStatus, status, incident, startedAt } = first;
  // The end of an incident whose monitor was deleted or unbound repeats its last notification.
  const isEnd = incident?.action === "resolve";
  const isReminder = first.reminder === true && !isEnd;
  return {
    ...{ monitor, incident, isReminder, startedAt },
    group: isEnd ? "healthy" : groupOf[status],
    text: `${isReminder ? "reminder of " : ""}${previousStatus} to ${status}`,
    isDelivered: delivered !== undefined,
    isRejected: attempts.some(({ outcome }) => outcome === "permanent"),
    deliveredAt: delivered?.endedAt ?? Number.POSITIVE_INFINITY,
    endedAt: Math.max(...attempts.map(({ endedAt }) => endedAt)),
    release: { from: releasedFrom(startedAt, waits), to: startedAt },
  };
}

/** A notification that is released while the channel is busy, or during a fault, is sent after that. */
function releasedFrom(startedAt: number, waits: readonly Stretch[]): number {
  const earliest = startedAt - PROMPT;
  const wait = waits.findLast(({ from, to }) => from < startedAt && to + PROMPT >= earliest);
  return wait ? Math.min(earliest, wait.from - PROMPT) : earliest;
}
