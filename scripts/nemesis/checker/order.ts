import type { Attempt, Log } from "../log.ts";
import { disruptions } from "./fault-spans.ts";
import { touches } from "./spans.ts";
import { at, type Violation } from "./violation.ts";

/** The precision of the times; milliseconds. */
const PRECISION = 5;

/**
 * A channel gets its notifications in the order of the commits: nothing is sent before all earlier deliveries have arrived
 * or failed. Only one attempt is under way at a time, except attempts of a node with a fault.
 */
export function findDisorder(log: Log): Violation[] {
  return Object.keys(log.deliveries).flatMap((channel) => {
    const attempts = log.attempts
      .filter((attempt) => attempt.channel === channel)
      .sort((a, b) => a.from - b.from);
    return [...findOvertaking(log, channel, attempts), ...findParallel(log, attempts)];
  });
}

function findOvertaking(log: Log, channel: string, attempts: Attempt[]): Violation[] {
  const waiting = (log.deliveries[channel] ?? []).filter(({ status }) => status !== "failed");
  const arrived = new Set<string>();
  let first = 0;
  return attempts.flatMap((attempt) => {
    while (arrived.has(waiting[first]?.id ?? "")) first++;
    const before = waiting[first];
    const isEarly = !arrived.has(attempt.id) && before !== undefined && before.id !== attempt.id;
    if (attempt.accepted) arrived.add(attempt.id);
    if (!isEarly) return [];
    const message = `${channel}: ${attempt.monitor} → ${attempt.status} at ${at(log, attempt.from)} before ${before.monitor} → ${before.newStatus}`;
    return [{ rule: "order", message }];
  });
}

function findParallel(log: Log, attempts: Attempt[]): Violation[] {
  const faults = disruptions(log);
  return attempts.slice(1).flatMap((attempt, index) => {
    const before = attempts[index] ?? attempt;
    const isParallel = attempt.from < before.to - PRECISION;
    if (!isParallel || touches(faults, { from: before.from, to: attempt.from })) return [];
    return [{ rule: "order", message: `${attempt.channel}: two attempts at ${at(log, attempt.from)}` }];
  });
}
