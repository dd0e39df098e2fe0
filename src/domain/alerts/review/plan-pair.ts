import type { Transition } from "../delivery.ts";
import type { WaitDecision } from "./fresh-check.ts";
import { type Decision, isTrouble, type Pair, type ReviewedMonitor, type Undecided } from "./pair.ts";
import { decideTrouble, dropped, wasDue } from "./trouble.ts";

/** A decision about a delivery, with the event and the outage that it has after the decision. */
export interface Decided {
  pk: number;
  event: Transition;
  outagePk: number | null;
  decision: Decision;
}

/** See also `WaitDecision`. */
export interface PairPlan extends Omit<WaitDecision, "decision"> {
  /** A decision for each undecided delivery. */
  decided: Decided[];
  /** When the next reminder is due; null if none is, undefined if nothing changes. */
  remindAt: number | null | undefined;
}

/**
 * Decides about the undecided deliveries of a pair (behavior 14.8 to 14.24), in their order: a later one supersedes those
 * before it.
 */
export function planPair(pair: Pair, monitor: ReviewedMonitor, now: number): PairPlan {
  const progress = createProgress(pair, monitor, now);
  for (const row of pair.undecided) {
    if (isTrouble(row.event.status)) progress.addTrouble(row);
    else progress.addRecovery(row);
  }
  return progress.end();
}

function createProgress(pair: Pair, monitor: ReviewedMonitor, now: number) {
  const decided: Decided[] = [];
  let { told } = pair;
  let remindAt: number | null | undefined;
  /** The latest trouble that is not decided yet. */
  let waiting: Undecided | null = null;
  /** Whether a notification was withdrawn, or deleted, that is newer than what the channel knows. */
  let isWithheld = false;

  function decide(row: Undecided, decision: Decision): void {
    const event = decision.kind === "send" ? released(row) : row.event;
    decided.push({ pk: row.pk, event, outagePk: row.outage?.pk ?? null, decision });
    if (decision.kind !== "send") return;
    const { status, troubleSince = null } = row.event;
    told = { status, troubleSince };
    isWithheld = false;
    remindAt = isTrouble(status) ? firstReminder(pair, monitor, now) : null;
  }

  /** A later transition follows the one that waits. */
  function settle(why: "ended" | "superseded"): void {
    if (!waiting) return;
    const row = waiting;
    waiting = null;
    if (wasDue(row, monitor, { ...pair, told })) {
      decide(row, { kind: "send" });
    } else {
      decide(row, dropped(row, why));
      isWithheld = true;
    }
  }

  return {
    addTrouble(row: Undecided): void {
      const before = waiting;
      settle("superseded");
      // The channel knows the status before the window (behavior 14.21).
      const event = before && isOfWindow(before) ? continued(row.event, before.event) : row.event;
      waiting = { ...row, event, isAfterWithdrawn: row.isAfterWithdrawn || isWithheld };
    },
    addRecovery(row: Undecided): void {
      settle("ended");
      const isTold = told !== null && isTrouble(told.status);
      const needsTold =
        isWithheld || row.isAfterWithdrawn || row.status === "hidden" || pair.timing.after > 0;
      decide(row, isTold || !needsTold ? { kind: "send" } : { kind: "delete" });
      isWithheld = false;
      remindAt = null;
    },
    end(): PairPlan {
      if (!waiting) return { decided, remindAt, asks: [], asksItself: false };
      // After a pause, the trouble is another outage (behavior 14.27).
      const present = { ...waiting, outage: monitor.outage ?? waiting.outage };
      const { decision, ...asked } = decideTrouble(present, monitor, { pair: { ...pair, told }, now });
      decide(present, decision);
      return { decided, remindAt, ...asked };
    },
  };
}

function isOfWindow({ status, hold }: Undecided): boolean {
  return status === "hidden" || hold.kind === "maintenance";
}

function firstReminder({ timing }: Pair, { outage }: ReviewedMonitor, now: number): number | null {
  return timing.every === 0 || outage?.acknowledged ? null : now + timing.every * 1000;
}

/** With the outage as of now: since the transition it may have been acknowledged, or not be any more. */
function released({ event, outage }: Undecided): Transition {
  if (!outage) return event;
  const { acknowledged: _, ...others } = event;
  const { id, startedAt, acknowledged } = outage;
  return { ...others, outage: { id, startedAt }, ...(acknowledged && { acknowledged }) };
}

function continued(event: Transition, { previousStatus, since }: Transition): Transition {
  const { since: _, ...others } = event;
  return { ...others, previousStatus, ...(since !== undefined && { since }) };
}
