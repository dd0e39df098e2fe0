import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import type { Log, LoggedMonitor, Span } from "../log.ts";
import { healthySpans } from "./fault-spans.ts";
import { overlap, touches } from "./spans.ts";
import { at, type Violation } from "./violation.ts";

/** From the time at which a check is to start until it arrives at its target; milliseconds. */
const ARRIVAL = 500;

/** How early a check may start by the clock of the database, because a node knows it only so well; milliseconds. */
const EARLY = 100;

/**
 * No slot is checked twice while all nodes are healthy, and none is recorded twice ever: of two nodes that check the same
 * slot, only one may write.
 */
export function findRepeatedSlots(log: Log): Violation[] {
  const healthy = healthySpans(log);
  return log.monitors
    .filter(({ type }) => type !== "SCHEDULED")
    .flatMap((monitor) => [...checkedTwice(log, monitor, healthy), ...recordedTwice(log, monitor)]);
}

/** How many slots `findRepeatedSlots` judged while all nodes were healthy. */
export function countHealthySlots(log: Log): number {
  const healthy = healthySpans(log);
  const arrivals = log.monitors.flatMap((monitor) =>
    (log.arrivals[monitor.name] ?? []).filter((time) => isJudged(log, monitor, healthy, time)),
  );
  return arrivals.length;
}

function checkedTwice(log: Log, monitor: LoggedMonitor, healthy: Span[]): Violation[] {
  return repeatedIn(monitor, log.arrivals[monitor.name] ?? [])
    .filter((time) => isJudged(log, monitor, healthy, time))
    .map((time) => ({ rule: "slot", message: `${monitor.name}: checked again at ${at(log, time)}` }));
}

function recordedTwice(log: Log, monitor: LoggedMonitor): Violation[] {
  const starts = (log.results[monitor.name] ?? []).map(({ createdAt, took }) => createdAt - took);
  return repeatedIn(monitor, starts).map((time) => ({
    rule: "slot",
    message: `${monitor.name}: recorded again at ${at(log, time)}`,
  }));
}

/**
 * The times of checks for which no slot is left. A check belongs to the slot in which it started: the slot of its time, or the
 * one before if that is only just over and has no other check.
 */
function repeatedIn(monitor: LoggedMonitor, times: readonly number[]): number[] {
  const used = new Map<number, number>();
  const take = (time: number): boolean => {
    const slot = [slotOf(monitor, time), slotOf(monitor, time - ARRIVAL)].find((one) => !used.has(one));
    if (slot !== undefined) used.set(slot, time);
    return slot !== undefined;
  };
  return [...times]
    .sort((a, b) => a - b)
    .filter((time) => {
      if (take(time)) return false;
      // The check that has this slot may belong to the one before.
      const slot = slotOf(monitor, time);
      const other = used.get(slot) ?? time;
      const before = slotOf(monitor, other - ARRIVAL);
      if (used.has(before)) return true;
      used.set(before, other).set(slot, time);
      return false;
    });
}

/** A check without success may be repeated, and so may one while the target itself was late. */
function isJudged(
  log: Log,
  { name, interval, timeout }: LoggedMonitor,
  healthy: Span[],
  time: number,
): boolean {
  const before = { from: time - interval, to: time };
  const isHealthy = overlap(healthy, before) === interval;
  const late = log.stalls.filter(({ from, to }) => to - from > timeout / 2);
  return isHealthy && !touches(log.outages[name] ?? [], before) && !touches(late, before);
}

/** The beginning of the slot of a time. */
function slotOf({ id, interval }: LoggedMonitor, time: number): number {
  return nextCheckAt(id, interval / 1000, time + EARLY) - interval;
}
