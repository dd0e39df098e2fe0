import { type Static, Type } from "@sinclair/typebox";
import { nextCheckAt } from "../checks/check-slot.ts";
import { type Detail, EXPIRES_SOON } from "../checks/observation.ts";
import type { MonitorConfig } from "./monitor.ts";
import { levelOf, type Status } from "./status.ts";

const MAX_CHECKS = 10;

/** How many further checks confirm a change for the worse and for the better (behavior 11.1). */
export const Confirmation = Type.Object({
  confirmations: Type.Integer({
    minimum: 0,
    maximum: MAX_CHECKS,
    description: "How many further checks in a row must be worse before the status changes to a worse group.",
  }),
  recoveries: Type.Integer({
    minimum: 0,
    maximum: MAX_CHECKS,
    description:
      "How many further checks in a row must be better before the status changes to a better group.",
  }),
});
export type Confirmation = Static<typeof Confirmation>;

/** Every change is immediate. */
export const UNCONFIRMED: Confirmation = { confirmations: 0, recoveries: 0 };

/** The observation of a check whose result is recorded with another status (behavior 11.7). */
export interface Seen {
  status: Status;
  reason?: string;
  message?: string;
}

/**
 * The latest checks in a row that are all worse, or all better, than the status of their monitor, and too few to
 * change it; stored as JSON. Times are milliseconds since 1970.
 */
export interface Suspicion {
  /** Oldest first. */
  checks: SuspiciousCheck[];
  /** The observation of the latest check. */
  seen: Seen;
}

interface SuspiciousCheck {
  status: Status;
  at: number;
}

/** @property since when the status began, if the check changed it; otherwise the time of the check */
export interface Confirmed {
  status: Status;
  since: number;
  suspicion: Suspicion | null;
}

/**
 * The status after a check (behavior 11.1 to 11.6).
 *
 * @param before the status and the suspicion that the check found. `reason`: see `OpenOutage`
 * @param check what the check saw
 */
export function confirm(
  before: { status: Status; suspicion: Suspicion | null; reason?: string | undefined },
  numbers: Confirmation,
  check: { status: Status; detail: Detail | null; createdAt: number },
): Confirmed {
  const { status: seen, createdAt: at } = check;
  const direction = directionOf(before.status, seen);
  if (direction === 0) return { status: seen, since: at, suspicion: null };
  const earlier = before.suspicion?.checks ?? [];
  const isContinued = earlier[0] !== undefined && directionOf(before.status, earlier[0].status) === direction;
  const checks = [...(isContinued ? earlier : []), { status: seen, at }];
  const isWorse = direction > 0;
  const reason = isWorse ? seenOf(seen, check.detail).reason : before.reason;
  const further = furtherChecks(numbers, { isWorse, statuses: [before.status, seen], reason });
  const taken = take(checks, direction, further);
  return {
    status: taken?.status ?? before.status,
    // If the clock was set back, the first check may be later than this one.
    since: Math.min(taken?.since ?? at, at),
    suspicion: suspicionOf(taken ? taken.rest : checks, check),
  };
}

/**
 * How far a suspicion is.
 *
 * @property checks how many checks saw it
 * @property needed how many change the status
 * @property since when the first of them saw it, in milliseconds since 1970
 */
export interface SuspicionProgress extends Seen {
  checks: number;
  needed: number;
  since: number;
}

export function progressOf(
  { status, suspicion, reason }: { status: Status; suspicion: Suspicion | null; reason?: string | undefined },
  numbers: Confirmation,
): SuspicionProgress | null {
  const [first] = suspicion?.checks ?? [];
  if (!suspicion || !first) return null;
  const checks = suspicion.checks.length;
  // Lower numbers hold from the next check on.
  const { seen } = suspicion;
  const isWorse = directionOf(status, first.status) > 0;
  const statuses = [status, seen.status];
  const further = furtherChecks(numbers, { isWorse, statuses, reason: isWorse ? seen.reason : reason });
  const needed = Math.max(checks, further) + 1;
  return { ...seen, checks, needed, since: first.at };
}

/** A detail with what its check saw; the reason and the message no longer describe the result (behavior 11.7). */
export function withSeen(status: Status, detail: Detail | null): Detail {
  const { reason: _, message: __, ...others } = detail ?? {};
  return { ...others, seen: seenOf(status, detail) };
}

/** 1 if a status is in a worse group than the current status, -1 in a better group, otherwise 0. */
function directionOf(current: Status, seen: Status): number {
  if (current === seen || current === "unknown") return 0;
  return Math.sign(levelOf[seen] - levelOf[current]);
}

/** The dates of certificates alternate if two servers behind one name have different ones (behavior 11.6). */
const FEWEST_DATE_RECOVERIES = 2;

/**
 * How many further checks a change to another group needs (behavior 11.1, 11.6).
 *
 * @param statuses before and after the change: a date makes a change for the worse immediate
 * @param reason of the worse one of them
 */
export function furtherChecks(
  { confirmations, recoveries }: Confirmation,
  {
    isWorse,
    statuses,
    reason,
  }: { isWorse: boolean; statuses: readonly Status[]; reason?: string | undefined },
): number {
  const hasDate = statuses.some(isDate) || isExpiryWarning(statuses, reason);
  if (isWorse) return hasDate ? 0 : confirmations;
  return hasDate ? Math.max(FEWEST_DATE_RECOVERIES, recoveries) : recoveries;
}

/** Whether a status follows from the date of a certificate. */
function isDate(status: Status): boolean {
  return status === "expired" || status === "expiring_soon";
}

/** Whether the worse of two statuses is Degraded because a certificate ends soon (behavior 10.93). */
function isExpiryWarning(statuses: readonly Status[], reason: string | undefined): boolean {
  return reason === EXPIRES_SOON && !statuses.includes("down");
}

/** @property rest the trailing checks that are still further away from the previous status */
interface Taken {
  status: Status;
  since: number;
  rest: SuspiciousCheck[];
}

/**
 * Takes the group that all checks agree on at least. It repeats, because after the number was lowered the rest may be
 * enough for the next group, and so after a date that needed more.
 */
function take(checks: SuspiciousCheck[], direction: number, further: number): Taken | null {
  if (checks.length <= further) return null;
  const distances = checks.map(({ status }) => levelOf[status] * direction);
  const last = distances.lastIndexOf(Math.min(...distances));
  const [first, latest] = [checks[0], checks[last]];
  if (!first || !latest) return null;
  const rest = checks.slice(last + 1);
  return take(rest, direction, further) ?? { status: latest.status, since: first.at, rest };
}

function suspicionOf(
  checks: SuspiciousCheck[],
  { status, detail }: { status: Status; detail: Detail | null },
): Suspicion | null {
  return checks.length === 0 ? null : { checks, seen: seenOf(status, detail) };
}

/** The observation of a check, with the reason and the message of its detail. */
export function seenOf(status: Status, detail: Detail | null): Seen {
  const { reason, message } = detail ?? {};
  return {
    status,
    ...(typeof reason === "string" && { reason }),
    ...(typeof message === "string" && { message }),
  };
}

const MAX_RECHECK_DELAY = 20_000;

/** From the end of a check to the next one during a suspicion, in milliseconds (behavior 11.8). @param interval seconds */
export function recheckDelay(interval: number): number {
  return Math.min((interval * 1000) / 2, MAX_RECHECK_DELAY);
}

/**
 * When the next check is due after one that ended, in milliseconds since 1970.
 *
 * @param check when it ended, and when it was to begin, if that is known
 * @param state of the monitor before and after the check
 */
export function dueAfter(
  { id, config: { interval } }: { id: string; config: MonitorConfig },
  { at, startAt = at }: { at: number; startAt?: number },
  { before, after }: Record<"before" | "after", { suspicion: Suspicion | null }>,
): number {
  if (after.suspicion) return at + recheckDelay(interval);
  // The slots before the end of a further check are used up by it (behavior 11.8).
  if (before.suspicion) return nextCheckAt(id, interval, at);
  // From the start: a check as long as its interval does not use up the next slot (behavior 1.9). After the clock was set
  // back, the start may be later than the end.
  return nextCheckAt(id, interval, Math.min(at, startAt));
}
