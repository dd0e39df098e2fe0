import type { Checked, Decision, ReviewedMonitor, Undecided } from "./pair.ts";

/** What a check saw is the present for this long; milliseconds. */
export const PRESENT = 5000;

/** A notification may wait so long for the monitors that its monitor depends on before it is old; milliseconds. */
const ANSWERED = 15_000;

/** Between two looks at whether an answer has come, in milliseconds: half of the time that has passed, within these. */
export const FIRST_LOOK = 500;
const LONGEST_PAUSE = 2000;

/** @property asks the numbers of the monitors to check now @property asksItself whether its own monitor is one, from the start */
export interface Waiting {
  decision: Decision & { kind: "keep" };
  asks: readonly number[];
  asksItself: boolean;
}

/** Whether a check is recent, and nothing waits for the confirmation of something better. */
export function isPresent({ latestAt, isSuspected }: Checked, now: number): boolean {
  return !isSuspected && latestAt !== null && Math.abs(now - latestAt) <= PRESENT;
}

/**
 * Whether a notification that is to be sent needs a check first, because what is known of its monitor is old (behavior 14.8).
 * One that was just rechecked, or that is of now, does not.
 */
export function needsLook({ hold, createdAt }: Undecided, { check }: ReviewedMonitor, now: number): boolean {
  if (!check || hold.kind === "recheck") return false;
  const longest = { new: PRESENT, answer: ANSWERED }[hold.kind as string];
  if (longest !== undefined && now - createdAt <= longest) return false;
  return !isPresent(check, now);
}

/** Lets a monitor be checked, and those that it depends on, before it is decided whether its trouble is sent (behavior 14.8). */
export function startLook(
  { status, hold }: Undecided,
  { check, ancestors }: ReviewedMonitor,
  now: number,
): Waiting {
  const old = unanswered(ancestors, now - PRESENT);
  const until = now + longestPatience([{ check }, ...old]);
  const by = hold.kind === "muted" || hold.kind === "recheck" ? hold.by : undefined;
  const recheck = { kind: "recheck", ...(by && { by }), since: now, until } as const;
  const decision = { kind: "keep", status, hold: recheck, reviewAt: now + FIRST_LOOK } as const;
  return { decision, asks: old.map(({ pk }) => pk), asksItself: true };
}

/**
 * What a notification waits for whose monitor is being checked, or is to be checked because a window has ended (behavior 14.21).
 *
 * @returns null if it waits for no check, or has waited long enough
 */
export function continueLook(row: Undecided, monitor: ReviewedMonitor, now: number): Waiting | null {
  const { hold, status } = row;
  const { check, ancestors } = monitor;
  if (!check) return null;
  if (hold.kind === "maintenance") return startLook(row, monitor, now);
  if (hold.kind !== "recheck") return null;
  const { since, until } = hold;
  // The clock was set back, or nobody looked at the answer, because no server ran.
  const isForgotten = now < since || (now - until > PRESENT && !isPresent(check, now));
  if (isForgotten) return startLook(row, monitor, now);
  const awaited = [...unanswered([{ check }], since), ...unanswered(ancestors, since - PRESENT)];
  if (now >= until || awaited.length === 0) return null;
  const decision = { kind: "keep", status, hold, reviewAt: nextLook(hold, until - since, now) } as const;
  return { decision, asks: [], asksItself: false };
}

/** Something that may be checked; null if nothing can check it. */
interface Checkable {
  check: Checked | null;
}

/** Those whose latest check is older than a moment, or does not decide yet whether their status changes. */
export function unanswered<One extends Checkable>(some: readonly One[], at: number): One[] {
  return some.filter(
    ({ check }) => check && (check.latestAt === null || check.latestAt < at || check.isSuspected),
  );
}

export function longestPatience(some: readonly Checkable[]): number {
  return Math.max(0, ...some.map(({ check }) => check?.patience ?? 0));
}

/** @param longest how long the answer was awaited at first */
export function nextLook({ until }: { until: number }, longest: number, now: number): number {
  const passed = longest - (until - now);
  const pause = Math.min(LONGEST_PAUSE, Math.max(FIRST_LOOK, Math.round(passed / 2)));
  return Math.min(until, now + pause);
}
