import type { NotifyOn } from "../../../src/domain/alerts/notify.ts";
import { groupOf, type Status } from "../../../src/domain/monitors/status.ts";
import type { Ledger, SimChannel, SimMonitor, Violation } from "../ledger.ts";
import { notSending, PROMPT, type SimAttempt, type SimDelivery } from "./attempts.ts";
import type { SimResult } from "./check-results.ts";
import { doneBy, type OwnFaults } from "./own-faults.ts";

/** A change of status that notifies. */
interface Change {
  from: Status;
  to: Status;
  atWall: number;
}

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

type Found = Pick<Violation, "rule" | "at" | "text">;

/**
 * Each channel gets one delivery for each transition that concerns it, and no other (behavior 5.1 to 5.9), except a recovery that
 * its receiver did not get (behavior 5.41).
 */
export function judgeNotifications(
  monitor: SimMonitor,
  results: readonly SimResult[],
  { ledger, faults }: { ledger: Ledger; faults: OwnFaults },
): Violation[] {
  const changes = changesIn(results);
  return ledger.scenario.channels.flatMap((channel) => {
    const own = ledger.deliveries.filter(
      (delivery) => delivery.monitor === monitor.name && delivery.channel === channel.name,
    );
    const isBound = monitor.channelNames.includes(channel.name);
    const found = [
      ...judgeChannel(isBound ? changes : [], own, channel.notifyOn),
      ...judgeRepetitions({ channel, changes, deliveries: own }, { ledger, faults }),
    ];
    return found.map((one) => ({ ...one, monitor: monitor.name, channel: channel.name }));
  });
}

/** The transitions between results, without the first healthy one (behavior 5.2). */
function changesIn(results: readonly SimResult[]): Change[] {
  const changes: Change[] = [];
  let before: Status = "unknown";
  for (const { status, createdAtWall } of results) {
    const isNotable = status !== before && !(before === "unknown" && groupOf[status] === "healthy");
    if (isNotable) changes.push({ from: before, to: status, atWall: createdAtWall });
    before = status;
  }
  return changes;
}

function judgeChannel(
  changes: readonly Change[],
  deliveries: readonly SimDelivery[],
  notifyOn: NotifyOn,
): Found[] {
  const found: Found[] = [];
  const made: SimDelivery[] = [];
  let next = 0;
  for (const change of changes) {
    next = withRepetitions(next);
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
  const extra = deliveries[withRepetitions(next)];
  if (extra)
    found.push({
      rule: "each notification has a transition",
      at: extra.createdAtWall,
      text: `a notification of ${extra.previousStatus} to ${extra.newStatus} has no transition of its own, or a wrong order`,
    });
  return found;

  /** The repetitions of what is made are made too. */
  function withRepetitions(from: number): number {
    let end = from;
    for (let one = deliveries[end]; one && isRepeated(deliveries[end - 1], one); one = deliveries[++end])
      made.push(one);
    return end;
  }
}

/** Whether a delivery is of the same result as the previous one of its channel and monitor. */
function isRepeated(previous: SimDelivery | undefined, { resultId }: SimDelivery): boolean {
  return previous !== undefined && resultId !== null && previous.resultId === resultId;
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
  if (!notifyOn.includes(groupOf[to])) return false;
  if (groupOf[to] !== "healthy" || notifyOn.includes(groupOf[from])) return true;
  const failedLast = made.at(-1)?.status === "failed";
  if (failedLast) return null;
  const last = made.at(-1);
  return last !== undefined && groupOf[last.newStatus] !== "healthy";
}

function textOf({ from, to }: Change): string {
  return `transition from ${from} to ${to}`;
}

interface Pair {
  channel: SimChannel;
  changes: readonly Change[];
  /** All of the monitor to the channel, in their order. */
  deliveries: readonly SimDelivery[];
}

/** A recovery that its receiver did not get is sent again, and nothing else is (behavior 5.41). */
function judgeRepetitions(
  { channel, changes, deliveries }: Pair,
  { ledger: { attempts, scenario }, faults }: { ledger: Ledger; faults: OwnFaults },
): Found[] {
  const lasts = lastAttempts(attempts, channel);
  return deliveries.flatMap((delivery, place): Found[] => {
    const next = deliveries[place + 1];
    const again = next && isRepeated(delivery, next) ? next : undefined;
    const failed = lasts.find(({ id }) => id === delivery.id);
    const told = deliveries.slice(0, place).findLast(({ status }) => status === "delivered");
    const knowsTrouble = told !== undefined && groupOf[told.newStatus] !== "healthy";
    if (!failed || !isUnheard(delivery, failed) || !knowsTrouble || channel.type !== "WEBHOOK")
      return again ? [needless(again, "its receiver got it, refused it, or knows of no trouble")] : [];
    const { endedAt } = failed;
    const taken = lasts.find(
      ({ id, outcome, startedAt }) => id !== again?.id && outcome === "delivered" && startedAt > endedAt,
    );
    const hourLater = endedAt + HOUR;
    const earliest = Math.min(hourLater, taken?.endedAt ?? hourLater);
    // The channel may not be notified of the trouble of the present.
    const isHealthy = groupOf[changes.findLast(({ atWall }) => atWall <= earliest)?.to ?? "up"] === "healthy";
    const latest = doneBy(isHealthy ? earliest : hourLater, PROMPT, notSending(faults));
    const [error = 0, ...errors] = faults.errorsWithin(endedAt - MINUTE, latest);
    if (errors.length > 0) return [];
    const recovery = deliveries.find(({ resultId }) => resultId === delivery.resultId) ?? delivery;
    const ageAt = (atWall: number) => atWall - recovery.createdAtWall;
    if (again && again.createdAtWall - error < earliest - SECOND)
      return [needless(again, `${again.createdAtWall - error - endedAt} ms after the last attempt`)];
    if (again && ageAt(again.createdAtWall) > DAY + HOUR) return [needless(again, "more than a day later")];
    const isWanted = latest < scenario.to && ageAt(latest + error) <= DAY;
    if (!isWanted || (next && next.createdAtWall - error <= latest)) return [];
    const text = `nothing was sent until ${new Date(latest).toISOString()}`;
    return [{ rule: "a recovery that its receiver did not get is sent again", at: endedAt, text }];
  });
}

/** The last attempt of each delivery of a channel, in their order. */
function lastAttempts(attempts: readonly SimAttempt[], channel: SimChannel): SimAttempt[] {
  const own = attempts.filter((attempt) => attempt.channel === channel.name);
  return [...Map.groupBy(own, ({ id }) => id).values()]
    .map((some) => some.toSorted((a, b) => a.startedAt - b.startedAt).at(-1) as SimAttempt)
    .sort((a, b) => a.startedAt - b.startedAt);
}

/** Whether all attempts of a recovery have failed, and its receiver did not refuse it for good. */
function isUnheard({ status, newStatus }: SimDelivery, { outcome }: SimAttempt): boolean {
  return status === "failed" && groupOf[newStatus] === "healthy" && outcome !== "permanent";
}

function needless({ createdAtWall }: SimDelivery, text: string): Found {
  return { rule: "only a recovery that its receiver did not get is sent again", at: createdAtWall, text };
}
