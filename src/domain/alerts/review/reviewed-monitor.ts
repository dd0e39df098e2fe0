import { checkTimeout } from "../../checks/check-slot.ts";
import type { DownWhen } from "../../locations/location.ts";
import { votesNeeded } from "../../locations/plan-observation.ts";
import {
  type Confirmation,
  furtherChecks,
  recheckDelay,
  type Suspicion,
} from "../../monitors/confirmation.ts";
import type { MonitorConfig, MonitorType } from "../../monitors/monitor.ts";
import { groupOf, levelOf, type Status } from "../../monitors/status.ts";
import type { Hold } from "../delivery.ts";
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
import type { Ancestor, Checked, ReviewedMonitor, ReviewedOutage, Undecided } from "./pair.ts";

/** A monitor of a review, or one that it depends on, as it is stored. Times are milliseconds since 1970. */
export interface StoredMonitor extends Confirmation {
  pk: number;
  id: string;
  type: MonitorType;
  config: MonitorConfig;
  enabled: boolean;
  status: Status;
  troubleSince: number | null;
  suspicion: Suspicion | null;
  /** ID of the open outage. */
  outageId: string | null;
  /** See `Monitor`; null if checks have results. */
  blindSince: number | null;
  latestAt: number | null;
  downWhen: DownWhen | null;
  /** The locations that can check it; null if only this server does. */
  places: readonly { latestAt: number | null; latestStatus: Status | null }[] | null;
}

/** A stored monitor as the plan of a review needs it. @param ancestors the nearest first */
export function reviewedMonitor(
  monitor: StoredMonitor,
  ancestors: readonly StoredMonitor[],
  { outage, windowEndsAt }: { outage: ReviewedOutage | null; windowEndsAt: number | null },
): ReviewedMonitor {
  const { enabled, status, troubleSince } = monitor;
  const isBetter = (seen: number) => seen < levelOf[status];
  const check = checksOf(monitor, { isOther: isBetter, isWorse: false, decides: isTroubleAt });
  return {
    ...{ enabled, status, troubleSince, outage, windowEndsAt, check },
    ancestors: ancestors.map(ancestorOf),
  };
}

function ancestorOf(monitor: StoredMonitor): Ancestor {
  const { pk, id, status, enabled, outageId } = monitor;
  const isDown = enabled && status !== "unknown" && groupOf[status] === "down";
  const cause = isDown && outageId !== null ? { monitorId: id, outageId } : null;
  const isOther = (seen: number) => (seen === DOWN) !== isDown;
  return { pk, cause, check: checksOf(monitor, { isOther, isWorse: !isDown, decides: () => true }) };
}

const isTroubleAt = (level: number) => level > 0;

const DOWN = levelOf.down;

/**
 * The checks of a monitor; null if there are none.
 *
 * @property isOther whether checks that saw this level (`levelOf`) await the confirmation of a change
 * @property isWorse whether that is a change for the worse
 * @property decides whether the result of a location counts for `decidedAt`
 */
function checksOf(
  monitor: StoredMonitor,
  {
    isOther,
    isWorse,
    decides,
  }: Record<"isOther" | "decides", (seen: number) => boolean> & { isWorse: boolean },
): Checked | null {
  const { type, enabled, config, status, suspicion, latestAt, places, downWhen, blindSince } = monitor;
  if (!enabled || type === "SCHEDULED") return null;
  const patience = patienceOf(config, furtherChecks(monitor, { isWorse, statuses: [status] }));
  const isBlind = blindSince !== null;
  if (!places) {
    const isSuspected = suspicion?.checks.some(({ status }) => isOther(levelOf[status])) ?? false;
    return { latestAt, decidedAt: latestAt, isSuspected, patience, isBlind };
  }
  if (places.length === 0) return null;
  const times = places.map((place) => place.latestAt);
  const isSuspected = isOther(wantedLevel(places, downWhen ?? "majority"));
  return {
    latestAt: times.includes(null) ? null : Math.min(...times.filter((time) => time !== null)),
    decidedAt: decidedAt(places, downWhen ?? "majority", decides),
    ...{ isSuspected, patience, isBlind },
  };
}

/** When the last of the newest results was made that are enough for a decision; null if there are too few. */
function decidedAt(
  places: NonNullable<StoredMonitor["places"]>,
  downWhen: DownWhen,
  decides: (level: number) => boolean,
): number | null {
  const newest = places
    .flatMap(({ latestAt, latestStatus }) =>
      latestAt !== null && latestStatus !== null && decides(levelOf[latestStatus]) ? [latestAt] : [],
    )
    .toSorted((one, other) => other - one);
  return newest[votesNeeded(downWhen, places.length) - 1] ?? null;
}

/** The level that enough locations see (behavior 13.10). */
function wantedLevel(places: NonNullable<StoredMonitor["places"]>, downWhen: DownWhen): number {
  const levels = places.flatMap(({ latestStatus }) => (latestStatus === null ? [] : [levelOf[latestStatus]]));
  const needed = votesNeeded(downWhen, Math.max(1, levels.length));
  return [DOWN, 1].find((wanted) => levels.filter((level) => level >= wanted).length >= needed) ?? 0;
}

/** The checks that a decision waits for have this long for their way through the queues; milliseconds. */
const MARGIN = 5000;

/** The end of a mute schedules a review of its deliveries. If it did not, they are reviewed after this time; milliseconds. */
export const SAFETY_NET = 60_000;

/**
 * How long a requested check may take, with the further checks that confirm what it saw; milliseconds.
 *
 * @param further how many may be needed
 */
function patienceOf(config: MonitorConfig, further: number): number {
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
