import type { NotifyOn } from "../../../src/domain/alerts/notify.ts";
import { groupOf, type Status } from "../../../src/domain/monitors/status.ts";
import type { Ledger, SimChannel, SimMonitor, Violation } from "../ledger.ts";
import type { SimResult } from "./check-results.ts";

export type SimDelivery = Ledger["deliveries"][number];

/** A change of status that notifies. */
interface Change {
  from: Status;
  to: Status;
  atWall: number;
}

/** Each channel gets one delivery for each transition that concerns it, and no other (behavior 5.1 to 5.9). */
export function judgeNotifications(
  monitor: SimMonitor,
  results: readonly SimResult[],
  { channels, deliveries }: { channels: readonly SimChannel[]; deliveries: readonly SimDelivery[] },
): Violation[] {
  const changes = changesIn(results);
  return channels.flatMap((channel) => {
    const own = deliveries.filter(
      (delivery) => delivery.monitor === monitor.name && delivery.channel === channel.name,
    );
    const isBound = monitor.channelNames.includes(channel.name);
    return judgeChannel(isBound ? changes : [], own, channel.notifyOn).map((found) => ({
      ...found,
      monitor: monitor.name,
      channel: channel.name,
    }));
  });
}

/** The transitions between results, without the first healthy one (behavior 5.2). */
function changesIn(results: readonly SimResult[]): Change[] {
  const changes: Change[] = [];
  let before: Status = "unknown";
  for (const { status, createdAtWall } of results) {
    const isNotable = status !== before && !(before === "unknown" && groupOf(status) === "healthy");
    if (isNotable) changes.push({ from: before, to: status, atWall: createdAtWall });
    before = status;
  }
  return changes;
}

function judgeChannel(
  changes: readonly Change[],
  deliveries: readonly SimDelivery[],
  notifyOn: NotifyOn,
): { rule: string; at: number; text: string }[] {
  const found: { rule: string; at: number; text: string }[] = [];
  const made: SimDelivery[] = [];
  let next = 0;
  for (const change of changes) {
    const delivery = deliveries[next];
    const isMade = delivery !== undefined && isOf(delivery, change);
    const expected = isNotified(change, notifyOn, made);
    if (isMade) {
      made.push(delivery);
      next++;
    }
    if (isMade && expected === false)
      found.push({
        rule: "only the transitions of a channel notify it",
        at: change.atWall,
        text: textOf(change),
      });
    if (!isMade && expected === true)
      found.push({ rule: "each transition notifies its channels", at: change.atWall, text: textOf(change) });
  }
  const [extra] = deliveries.slice(next);
  if (extra)
    found.push({
      rule: "each notification has a transition",
      at: extra.createdAtWall,
      text: `a notification of ${extra.previousStatus} to ${extra.newStatus} has no transition of its own, or a wrong order`,
    });
  return found;
}

function isOf(
  { previousStatus, newStatus, createdAtWall }: SimDelivery,
  { from, to, atWall }: Change,
): boolean {
  return previousStatus === from && newStatus === to && createdAtWall === atWall;
}

/**
 * Whether a channel is notified (behavior 5.7, 5.9); null if it depends on when an earlier delivery failed.
 *
 * @param made its deliveries so far
 */
function isNotified({ from, to }: Change, notifyOn: NotifyOn, made: readonly SimDelivery[]): boolean | null {
  if (!notifyOn.includes(groupOf(to))) return false;
  if (groupOf(to) !== "healthy" || notifyOn.includes(groupOf(from))) return true;
  const failedLast = made.at(-1)?.status === "failed";
  if (failedLast) return null;
  const last = made.at(-1);
  return last !== undefined && groupOf(last.newStatus) !== "healthy";
}

function textOf({ from, to }: Change): string {
  return `transition from ${from} to ${to}`;
}
