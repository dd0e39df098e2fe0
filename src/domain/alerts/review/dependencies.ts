import { checkTimeout } from "../../checks/check-slot.ts";
import { recheckDelay } from "../../monitors/confirmation.ts";
import type { MonitorConfig } from "../../monitors/monitor.ts";
import type { Hold } from "../hold.ts";
import {
  ASK_EVERY,
  FIRST_POLL,
  LONGER,
  longestPatience,
  nextPollAt,
  requestCheck,
  unanswered,
  type WaitDecision,
  withoutResult,
} from "./fresh-check.ts";
import type { Ancestor, ReviewedMonitor, Undecided } from "./pair.ts";

/** The checks that a decision waits for have this long for their way through the queues; milliseconds. */
const MARGIN = 5000;

/** The end of a mute schedules a review of its deliveries. If it did not, they are reviewed after this time; milliseconds. */
export const SAFETY_NET = 60_000;

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
  row: Undecided,
  monitor: ReviewedMonitor,
  now: number,
): WaitDecision | null {
  const { hold, event } = row;
  const { ancestors } = monitor;
  const causes = ancestors.filter(({ cause }) => cause);
  const old = unanswered(ancestors, event.changedAt ?? event.result.createdAt);
  switch (hold.kind) {
    case "muted":
      if (causes.length > 0) return mute(causes, { hold, old, now });
      return monitor.check ? requestCheck(row, monitor, now) : null;
    // They were asked with it.
    case "recheck":
      return mute(causes, { hold, old: [], now });
    default:
      return (
        mute(
          causes.filter((cause) => !old.includes(cause)),
          { hold, old: [], now },
        ) ??
        waitForAnswers(row, { ancestors, old }, now) ??
        mute(causes, { hold, old: [], now })
      );
  }
}

/** @property old ancestors that are asked if they are another cause than the one that muted until now */
function mute(
  [nearest]: readonly Ancestor[],
  { hold, old, now }: { hold: Hold; old: readonly Ancestor[]; now: number },
): WaitDecision | null {
  if (!nearest?.cause) return null;
  const { cause, pk } = nearest;
  const isKnown = hold.kind === "muted" && hold.by.outageId === cause.outageId;
  const asks = !isKnown && old.includes(nearest) ? [pk] : [];
  return keep({ status: "muted", hold: { kind: "muted", by: cause }, reviewAt: now + SAFETY_NET }, asks);
}

function waitForAnswers(
  { status: before, hold }: Undecided,
  { ancestors, old }: Record<"ancestors" | "old", readonly Ancestor[]>,
  now: number,
): WaitDecision | null {
  if (old.length === 0) return null;
  const status = before === "hidden" ? before : "held";
  if (hold.kind !== "answer") {
    const answer = { kind: "answer", until: now + longestPatience(old) } as const;
    const asks = old.map(({ pk }) => pk);
    return keep({ status, hold: answer, reviewAt: now + FIRST_POLL }, asks);
  }
  // The longest wait for all ancestors, because some may have answered.
  const longest = longestPatience(ancestors);
  // If more time is left than there was at first, the clock was set back.
  if (hold.until - now > longest) return null;
  if (now < hold.until) return keep({ status, hold, reviewAt: nextPollAt(hold, longest, now) });
  const lacking = withoutResult(old, now);
  if (lacking.length === 0 || now >= hold.until + LONGER) return null;
  return keep(
    { status, hold, reviewAt: Math.min(hold.until + LONGER, now + ASK_EVERY) },
    lacking.map(({ pk }) => pk),
  );
}

function keep(kept: Omit<WaitDecision["decision"], "kind">, asks: WaitDecision["asks"] = []): WaitDecision {
  return { decision: { kind: "keep", ...kept }, asks, asksItself: false };
}
