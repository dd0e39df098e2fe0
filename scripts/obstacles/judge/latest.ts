import type { Monitor, Truth } from "../scenario.ts";

/** From the moment at which the answer of a target is known until it was received; milliseconds. */
const DELIVERY = 1000;

/** After a date, a change for the better needs so many further checks (behavior 11.6). */
const RECOVERIES_OF_DATES = 2;
const DATES = new Set(["expired", "expiring_soon"]);

/**
 * Milliseconds that the rules allow until a truth is known: the interval for each check that is needed.
 *
 * @param previous what was known before; undefined if the monitor was just created, which is checked at once
 */
export function expectedAfter(monitor: Monitor, truth: Truth, previous: string | undefined): number {
  if (truth.within !== undefined) return truth.within * 1000;
  if (previous === undefined) return 0;
  return intervalOf(monitor) * (1 + furtherChecks(monitor, truth, previous));
}

/** Milliseconds after which a truth that is not known yet is missed. */
export function latestAfter(monitor: Monitor, truth: Truth, previous: string | undefined): number {
  const timeout = truth.isSilent ? timeoutOf(monitor) : 0;
  return expectedAfter(monitor, truth, previous) + timeout + DELIVERY;
}

/** Milliseconds; irrelevant for a job, because its truths have a time of their own. */
export function intervalOf({ config: { interval, period } }: Monitor): number {
  return Number(interval ?? period ?? 0) * 1000;
}

/** Milliseconds that a check takes at most. */
export function timeoutOf(monitor: Monitor): number {
  const { timeout } = monitor.config;
  return timeout === undefined ? Math.min(10_000, intervalOf(monitor)) : Number(timeout) * 1000;
}

function furtherChecks(
  { confirmations = 0, recoveries = 0 }: Monitor,
  truth: Truth,
  previous: string,
): number {
  if (rank(truth.status) > rank(previous)) return confirmations;
  return DATES.has(previous) ? Math.max(recoveries, RECOVERIES_OF_DATES) : recoveries;
}

const WARNINGS = new Set(["degraded", "expiring_soon", "changed", "havent_heard"]);
const HEALTHY = new Set(["up", "active", "present", "ok"]);

export function isHealthy(status: string): boolean {
  return HEALTHY.has(status);
}

/** Whether nobody is notified if a new monitor has it: it is healthy (behavior 5.2), or a job that never checked in. */
export function isQuiet({ status }: Truth): boolean {
  return isHealthy(status) || status === "unknown";
}

/** The severity of its group: 0 is healthy. */
export function rank(status: string): number {
  if (isHealthy(status)) return 0;
  return WARNINGS.has(status) ? 1 : 2;
}
