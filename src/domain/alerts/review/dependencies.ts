import { checkTimeout } from "../../checks/check-slot.ts";
import type { MonitorConfig } from "../../monitors/monitor.ts";
import { recheckDelay } from "../../monitors/next-check.ts";
import type { Hold } from "../hold.ts";
import type { Ancestor, Decision, ReviewedMonitor, Undecided } from "./pair.ts";

/** The checks that a decision waits for have this long for their way through the queues; milliseconds. */
const MARGIN = 5000;

/** Between two looks at whether an answer has come, in milliseconds: half of the time that has passed, within these. */
const FIRST_LOOK = 500;
const LONGEST_PAUSE = 2000;

/** What ends a mute pokes its deliveries. In case it did not, they are looked at after this time; milliseconds. */
export const SAFETY_NET = 60_000;

/** @property asks whether to check the monitor itself now, or the numbers of monitors that it depends on */
export interface Waiting {
  decision: Decision & { kind: "keep" };
  asks: "itself" | readonly number[];
}

/**
 * How long a requested check may take, with the further checks that confirm what it saw; milliseconds.
 *
 * @param further how many may be needed
 */
export function patienceOf(config: MonitorConfig, further: number): number {
  const timeout = checkTimeout(config);
  return timeout + MARGIN + further * (recheckDelay(config.interval) + timeout);
}

/**
 * Whether a notification of something worse waits for the monitors that its monitor depends on (behavior 14.11 to 14.15).
 *
 * @returns null if it does not
 */
export function waitForDependencies(
  { hold, event, status }: Undecided,
  monitor: ReviewedMonitor,
  now: number,
): Waiting | null {
  const { ancestors, check } = monitor;
  const cause = ancestors.find((ancestor) => ancestor.cause)?.cause;
  if (cause) return keep({ status: "muted", hold: { kind: "muted", by: cause }, reviewAt: now + SAFETY_NET });
  switch (hold.kind) {
    case "muted": {
      if (!check) return null;
      const recheck = { kind: "recheck", by: hold.by, since: now, until: now + check.patience } as const;
      return keep({ status: "muted", hold: recheck, reviewAt: now + FIRST_LOOK }, "itself");
    }
    case "recheck":
      return isRechecked(hold, monitor, now)
        ? null
        : keep({ status, hold, reviewAt: nextLook(hold, check?.patience ?? 0, now) });
    default: {
      const firstSeenAt = event.changedAt ?? event.result.createdAt;
      return waitForAnswers(hold, { ancestors, missing: unanswered(ancestors, firstSeenAt) }, now);
    }
  }
}

/** The monitors whose latest check is older than a moment, or does not decide yet whether they are down. */
export function unanswered(ancestors: readonly Ancestor[], at: number): Ancestor[] {
  return ancestors.filter(
    ({ check }) => check && (check.latestAt === null || check.latestAt < at || check.isSuspected),
  );
}

function waitForAnswers(
  hold: Hold,
  { ancestors, missing }: Record<"ancestors" | "missing", readonly Ancestor[]>,
  now: number,
): Waiting | null {
  if (missing.length === 0) return null;
  // Of all, because some may have answered.
  const longest = Math.max(...ancestors.map(({ check }) => check?.patience ?? 0));
  if (hold.kind !== "answer") {
    const until = now + Math.max(...missing.map(({ check }) => check?.patience ?? 0));
    const answer = { kind: "answer", until } as const;
    const asks = missing.map(({ pk }) => pk);
    return keep({ status: "held", hold: answer, reviewAt: now + FIRST_LOOK }, asks);
  }
  if (hasPassed(hold.until, longest, now)) return null;
  return keep({ status: "held", hold, reviewAt: nextLook(hold, longest, now) });
}

function nextLook({ until }: { until: number }, longest: number, now: number): number {
  const passed = longest - (until - now);
  const pause = Math.min(LONGEST_PAUSE, Math.max(FIRST_LOOK, Math.round(passed / 2)));
  return Math.min(until, now + pause);
}

/** The result of a check that only began before is as good: what it saw is of the time of its end. */
function isRechecked(
  { since, until }: Hold & { kind: "recheck" },
  { check }: ReviewedMonitor,
  now: number,
): boolean {
  if (!check || hasPassed(until, check.patience, now)) return true;
  return check.latestAt !== null && check.latestAt >= since && !check.isSuspected;
}

/** If more time is left than there was at first, the clock was set back. */
function hasPassed(until: number, longest: number, now: number): boolean {
  return now >= until || until - now > longest;
}

function keep(kept: Omit<Waiting["decision"], "kind">, asks: Waiting["asks"] = []): Waiting {
  return { decision: { kind: "keep", ...kept }, asks };
}
