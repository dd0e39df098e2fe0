import type { Ancestor, Checked, Decision, ReviewedMonitor, Undecided } from "./pair.ts";

/** How long the result of a check counts as the present; milliseconds. */
export const PRESENT = 5000;

/** A notification may wait so long for the monitors that its monitor depends on before it is old; milliseconds. */
const ANSWERED = 15_000;

/** The bounds of the poll interval, which is half of the time that has passed; milliseconds. */
export const FIRST_POLL = 500;
const MAX_PAUSE = 2000;

/** How soon a check is requested again that has no result; milliseconds. Its result is decided at once (behavior 14.52). */
const ASK_AGAIN = 60_000;

/**
 * How much longer a notification waits for the monitors that its monitor depends on if their checks have no results, because of a
 * fault of stillup, and how often they are asked meanwhile; milliseconds. After that, their present statuses count, because the
 * trouble is certain.
 */
export const LONGER = 5 * 60_000;
export const ASK_EVERY = 15_000;

/** @property asks the numbers of the monitors to check now @property asksItself whether its own monitor is one, from the start */
export interface WaitDecision {
  decision: Decision & { kind: "keep" };
  asks: readonly number[];
  asksItself: boolean;
}

/** Whether a check is recent, and nothing waits for the confirmation of something better. */
export function isPresent({ latestAt, isSuspected }: Checked, now: number): boolean {
  return !isSuspected && latestAt !== null && Math.abs(now - latestAt) <= PRESENT;
}

/**
 * Whether a check had no result in the time that a check may take. Each check has a result, unless a fault of stillup or of its
 * machine prevents it (behavior 1.45 to 1.47, 14.9), which says nothing about the monitor.
 */
export function lacksResult({ decidedAt, patience }: Checked, now: number): boolean {
  return decidedAt === null || Math.abs(now - decidedAt) > patience;
}

/**
 * Whether a notification that is to be sent needs a check first, because what is known of its monitor is old (behavior 14.8).
 * A notification that was just rechecked, or that is of now, needs no check.
 */
export function needsCheck({ hold, createdAt }: Undecided, { check }: ReviewedMonitor, now: number): boolean {
  if (!check || hold.kind === "recheck") return false;
  const longest = { new: PRESENT, answer: ANSWERED }[hold.kind as string];
  if (longest !== undefined && now - createdAt <= longest) return false;
  return !isPresent(check, now);
}

/** Lets a monitor be checked, and those that it depends on, before it is decided whether its trouble is sent (behavior 14.8). */
export function requestCheck(
  { status, hold }: Undecided,
  { check, ancestors }: ReviewedMonitor,
  now: number,
): WaitDecision {
  const old = unanswered(ancestors, now - PRESENT);
  const until = now + longestPatience([{ check }, ...old]);
  const by = hold.kind === "muted" || hold.kind === "recheck" ? hold.by : undefined;
  // An answer of these monitors was awaited for that time already.
  const longer = old.length > 0 && hold.kind !== "answer" ? { longestUntil: until + LONGER } : {};
  const recheck = { kind: "recheck", ...(by && { by }), since: now, until, ...longer } as const;
  const decision = { kind: "keep", status, hold: recheck, reviewAt: now + FIRST_POLL } as const;
  return { decision, asks: old.map(({ pk }) => pk), asksItself: true };
}

type Asked = { since: number } & Partial<Omit<WaitDecision, "decision">>;

/**
 * Decides if a requested check had no result in time, or only some that suspect something better, because a fault of stillup
 * kept the first of them from a result (behavior 14.9): it is requested again, or its confirmation is awaited. It is also requested
 * again, for some minutes, while monitors that were asked with it have no result: each of them may be the cause.
 *
 * @returns null if its results decide
 */
function waitLonger(row: Undecided, monitor: ReviewedMonitor, now: number): WaitDecision | null {
  const { status, hold } = row;
  const { check, ancestors } = monitor;
  if (!check || hold.kind !== "recheck") return null;
  const { since, longestUntil = 0 } = hold;
  const waitUntil = (until: number, { since, asks = [], asksItself = false }: Asked): WaitDecision => {
    const decision = { kind: "keep", status, hold: { ...hold, since, until }, reviewAt: until } as const;
    return { decision, asks, asksItself };
  };
  const isLacking = check.isSuspected
    ? lacksResult(check, now)
    : check.decidedAt === null || check.decidedAt < since;
  if (check.isSuspected && !isLacking) return waitUntil(now + check.patience, hold);
  const asks = unanswered(ancestors, now - PRESENT);
  const ask = { since: now, asks: asks.map(({ pk }) => pk), asksItself: true };
  if (isLacking) return waitUntil(now + Math.max(check.patience, ASK_AGAIN), ask);
  const lacking = withoutResult(unanswered(ancestors, since - PRESENT), now);
  if (lacking.length === 0 || ancestors.some(({ cause }) => cause) || now >= longestUntil) return null;
  const patience = Math.max(ASK_EVERY, longestPatience([{ check }, ...asks]));
  return waitUntil(Math.min(longestUntil, now + patience), ask);
}

/**
 * Continues to wait for a requested check, or requests one because a window has ended (behavior 14.21).
 *
 * @returns null if it waits for no check, or has waited long enough
 */
export function awaitCheck(row: Undecided, monitor: ReviewedMonitor, now: number): WaitDecision | null {
  const { hold, status } = row;
  const { check, ancestors } = monitor;
  if (!check) return null;
  if (hold.kind === "maintenance") return requestCheck(row, monitor, now);
  if (hold.kind !== "recheck") return null;
  const { since, until } = hold;
  // The clock was set back, or the answer was not read, because no server ran.
  const isForgotten = now < since || (now - until > PRESENT && !isPresent(check, now));
  if (isForgotten) return requestCheck(row, monitor, now);
  const awaited = [...unanswered([{ check }], since), ...unanswered(ancestors, since - PRESENT)];
  if (awaited.length === 0) return null;
  if (now >= until) return waitLonger(row, monitor, now);
  const decision = { kind: "keep", status, hold, reviewAt: nextPollAt(hold, until - since, now) } as const;
  return { decision, asks: [], asksItself: false };
}

/** Something that may be checked; null if nothing can check it. */
interface Checkable {
  check: Checked | null;
}

/** Monitors whose latest check is older than a moment, or does not decide yet whether their status changes. */
export function unanswered<One extends Checkable>(some: readonly One[], at: number): One[] {
  return some.filter(
    ({ check }) => check && (check.latestAt === null || check.latestAt < at || check.isSuspected),
  );
}

/** Monitors whose trouble would be a cause, and whose checks have no results that decide. Everybody knows of a blind one. */
export function withoutResult(ancestors: readonly Ancestor[], now: number): Ancestor[] {
  return ancestors.filter(
    ({ cause, check }) => !cause && check && !check.isBlind && (check.isSuspected || lacksResult(check, now)),
  );
}

export function longestPatience(some: readonly Checkable[]): number {
  return Math.max(0, ...some.map(({ check }) => check?.patience ?? 0));
}

/** @param longest how long the answer was awaited at first */
export function nextPollAt({ until }: { until: number }, longest: number, now: number): number {
  const passed = longest - (until - now);
  const pause = Math.min(MAX_PAUSE, Math.max(FIRST_POLL, Math.round(passed / 2)));
  return Math.min(until, now + pause);
}
