import type { Attempt, Log, Span } from "../log.ts";
import { disruptions } from "./fault-spans.ts";
import { at, type Violation } from "./violation.ts";

/** From the answer of a receiver until it is written; milliseconds. */
const WRITING = 500;

/**
 * Every delivery arrives, with one ID. It arrives again only if a node or the database had a fault after the previous
 * arrival, once per fault.
 */
export function findWrongNotifications(log: Log): Violation[] {
  const accepted = Map.groupBy(
    log.attempts.filter((attempt) => attempt.accepted),
    ({ id }) => id,
  );
  const known = new Set(Object.values(log.deliveries).flatMap((rows) => rows.map(({ id }) => id)));
  return [
    ...findLost(log, accepted),
    ...[...accepted]
      .filter(([id]) => !known.has(id))
      .map(([, [first]]) => violation("unknown notification", log, first)),
    ...[...accepted.values()].flatMap((attempts) => findRepeated(log, attempts)),
  ];
}

/** How many notifications arrived more often than once. */
export function countRepeated({ attempts }: Log): number {
  const accepted = attempts.filter((attempt) => attempt.accepted);
  return accepted.length - new Set(accepted.map(({ id }) => id)).size;
}

function findLost({ deliveries }: Log, accepted: Map<string, Attempt[]>): Violation[] {
  return Object.entries(deliveries).flatMap(([channel, rows]) =>
    rows
      .filter(({ id, status }) => status !== "delivered" || !accepted.has(id))
      .map(({ monitor, previousStatus, newStatus, status }) => ({
        rule: "lost notification",
        message: `${channel}: ${monitor} ${previousStatus} → ${newStatus} is ${status} and did not arrive`,
      })),
  );
}

function findRepeated(log: Log, attempts: Attempt[]): Violation[] {
  const unused = disruptions(log);
  return attempts.slice(1).flatMap((attempt, index) => {
    const before = attempts[index] ?? attempt;
    const excuse = unused.findIndex((fault) => isBetween(fault, before, attempt));
    if (excuse < 0) return [violation("repeated notification", log, attempt)];
    unused.splice(excuse, 1);
    return [];
  });
}

/** The fault began before the outcome was written, and before it was sent again. */
function isBetween(fault: Span, before: Attempt, again: Attempt): boolean {
  return fault.from < again.from && fault.to > before.from - WRITING;
}

function violation(rule: string, log: Log, attempt: Attempt | undefined): Violation {
  const { channel, monitor, status, from } = attempt as Attempt;
  return { rule, message: `${channel}: ${monitor} → ${status} at ${at(log, from)}` };
}
