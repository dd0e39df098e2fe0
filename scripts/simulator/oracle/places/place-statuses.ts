import { groupOf } from "../../../../src/domain/monitors/status.ts";
import type { Ledger, SimMonitor, Violation } from "../../ledger.ts";
import type { SimDelivery } from "../attempts.ts";
import { furtherCheckDelay, intervalOf } from "../due-checks.ts";
import { isDecided, mayBeDown, mayBeUp, type Voters } from "./voters.ts";

/** The steps in which the truth is followed, in milliseconds. */
const STEP = 10_000;

/** From the check that decides until the notification: the interval of the watch, a request, a commit; milliseconds. */
const SLACK = 60_000;

interface Change {
  at: number;
  isDown: boolean;
}

/** Each change of the status has enough votes (behavior 13.10), in each direction. */
export function judgeChanges(
  { name: monitor, places }: SimMonitor,
  deliveries: readonly SimDelivery[],
  voters: Voters,
): Violation[] {
  const downWhen = places?.downWhen ?? "majority";
  return deliveries.flatMap(({ previousStatus, newStatus, createdAtWall: at }) => {
    const votes = voters.at(at);
    const isDown = groupOf[newStatus] === "down";
    const isExplained = isDown ? mayBeDown(votes, downWhen) : mayBeUp(votes, downWhen);
    if (isExplained) return [];
    const text = `${previousStatus} to ${newStatus} with ${downWhen} and ${JSON.stringify(votes)}`;
    return [{ rule: "enough locations see each change", at, monitor, text }];
  });
}

/** A status that enough locations see for long enough is the status of the monitor (behavior 13.9, 13.10, 13.20). */
export function judgeMisses(
  monitor: SimMonitor,
  deliveries: readonly SimDelivery[],
  { voters, scenario: { from, to } }: { voters: Voters; scenario: Ledger["scenario"] },
): Violation[] {
  const { name, places } = monitor;
  const downWhen = places?.downWhen ?? "majority";
  const patience = patienceOf(monitor);
  const changes = deliveries.map(({ newStatus, createdAtWall }) => ({
    at: createdAtWall,
    isDown: groupOf[newStatus] === "down",
  }));
  const violations: Violation[] = [];
  /** Since when the truth has demanded the same. */
  let demand: Change | undefined;
  let isReported = false;
  for (let at = from; at < to; at += STEP) {
    const votes = voters.at(at);
    const [down, up] = [mayBeDown(votes, downWhen), mayBeUp(votes, downWhen)];
    const isClear = isDecided(votes) && down !== up;
    if (!isClear || demand?.isDown !== down) {
      demand = isClear ? { at, isDown: down } : undefined;
      isReported = false;
    }
    if (!demand || isReported || at - demand.at < patience || isDownAt(changes, at) === demand.isDown)
      continue;
    isReported = true;
    violations.push({
      rule: demand.isDown ? "no outage is missed" : "no recovery is missed",
      at: demand.at,
      monitor: name,
      text: `${(at - demand.at) / 1000} s later it is not ${demand.isDown ? "down" : "up"} with ${downWhen} and ${JSON.stringify(votes)}`,
    });
  }
  return violations;
}

/** A change of which no notification was sent, because it is the first healthy status, is none. */
function isDownAt(changes: readonly Change[], at: number): boolean {
  return changes.findLast((change) => change.at <= at)?.isDown ?? false;
}

/** How long it takes at most until enough checks have confirmed a change. */
function patienceOf(monitor: SimMonitor): number {
  const interval = intervalOf(monitor);
  const further = Math.max(interval, furtherCheckDelay(interval)) + Math.min(interval, 10_000);
  return 2 * further * (1 + Math.max(monitor.confirmations ?? 0, monitor.recoveries ?? 0)) + SLACK;
}

/** Notifications follow one another: each begins with the status that the one before reported (behavior 5.1, 13.15). */
export function judgeChain({ name: monitor }: SimMonitor, deliveries: readonly SimDelivery[]): Violation[] {
  return deliveries.flatMap(({ previousStatus, newStatus, createdAtWall: at }, place) => {
    const before = deliveries[place - 1]?.newStatus;
    const isFirst =
      before === undefined && (previousStatus === "unknown" || groupOf[previousStatus] === "healthy");
    if (isFirst || before === previousStatus) return [];
    const text = `${previousStatus} to ${newStatus} after ${before ?? "nothing"}`;
    return [{ rule: "each notification follows the one before", at, monitor, text }];
  });
}
