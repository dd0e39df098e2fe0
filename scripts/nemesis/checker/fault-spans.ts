import type { FaultKind, Log, LoggedMonitor, Span } from "../log.ts";
import { gaps, union } from "./spans.ts";

const SECOND = 1000;

/** How much later than its timeout a check may run because of a fault; milliseconds. */
export const TAKEOVER = 15 * SECOND;

/** From the end of a fault until no check is under way that it disturbed; milliseconds. */
const AFTERMATH = 5 * SECOND;

/** A node with one of these faults does no work. */
const ABSENT: ReadonlySet<FaultKind> = new Set(["kill", "stop", "end", "cut", "black-hole"]);
const DATABASE_AWAY: ReadonlySet<FaultKind> = new Set(["restart", "crash"]);

/** A node or the database may lose what it has done and not written. */
const DISRUPTIVE: ReadonlySet<FaultKind> = new Set([...ABSENT, ...DATABASE_AWAY, "terminate"]);

/** When nobody could check anything: no database, or no node. */
export function absences({ faults, nodes }: Pick<Log, "faults" | "nodes">): Span[] {
  const away = faults.filter(({ kind }) => DATABASE_AWAY.has(kind));
  const absent = faults.filter(({ kind, node }) => node !== null && ABSENT.has(kind));
  const without = Array.from({ length: nodes }, (_, node) =>
    union(absent.filter((fault) => fault.node === node)),
  ).reduce(intersection);
  return union([...away, ...without]);
}

/** When a check of this monitor may be late: a fault delays what its node had claimed. */
export function delays(log: Pick<Log, "faults" | "nodes">, { timeout }: LoggedMonitor): Span[] {
  const taken = log.faults
    .filter(({ kind }) => DISRUPTIVE.has(kind))
    .map(({ from }) => ({ from, to: from + timeout + TAKEOVER }));
  const restarted = absences(log).map(({ from, to }) => ({ from, to: to + TAKEOVER }));
  return union([...taken, ...restarted]);
}

/** When every node, the database and the connections between them had no fault for a while. */
export function healthySpans({ faults, whole }: Pick<Log, "faults" | "whole">): Span[] {
  const disturbed = union(faults.map(({ from, to }) => ({ from, to: to + AFTERMATH })));
  return gaps(disturbed, whole);
}

/** Faults in which an attempt that a receiver accepted may not be written. */
export function disruptions({ faults }: Pick<Log, "faults">): Span[] {
  return faults.filter(({ kind }) => DISRUPTIVE.has(kind));
}

function intersection(some: Span[], others: Span[]): Span[] {
  return some.flatMap((one) =>
    others
      .map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }))
      .filter(({ from, to }) => from < to),
  );
}
