import type { NotifyOn } from "../../../src/domain/alerts/notify.ts";
import type { ModelChannel, ModelMonitor, ModelOutage, Notification } from "./rules.ts";

/*
 * The rules of behavior 14.8 to 14.29, stated a second time and as simply as possible. The model knows neither windows nor
 * reminders. Monitors depend only on jobs, so that no decision requests a check of another monitor.
 */

type Group = NotifyOn[number];

const GROUPS: Record<string, Group> = {
  unknown: "down",
  ...{ up: "healthy", down: "down" },
  ...{ present: "healthy", changed: "warning", missing: "down" },
  ...{ ok: "healthy", failed: "down" },
};

export function groupOf(status: string): Group {
  const group = GROUPS[status];
  if (!group) throw new Error(`the model does not know the status ${status}`);
  return group;
}

/** A requested check gets its timeout and 5 s; milliseconds. */
const RECHECK = 15_000;

/** A check is the present for this long; milliseconds. */
const PRESENT = 5000;

/** Milliseconds for which the trouble of a monitor must last before a channel is notified (behavior 14.16). */
export function delayOf(monitor: ModelMonitor, channel: ModelChannel, outage = monitor.outage): number {
  const delay = monitor.delays.get(channel);
  if (!delay) return 0;
  return delay.kept && delay.kept.outage === outage ? delay.kept.after : delay.after;
}

/** Whether a new notification is decided by `decidePair` instead of being sent (behavior 14.50). */
export function isHeldAtFirst({
  monitor,
  channel,
  own,
  outage,
}: Omit<Pair, "now"> & { outage: ModelOutage | undefined }): boolean {
  if (delayOf(monitor, channel, outage) > 0) return true;
  return monitor.dependsOn.size > 0 || own.some(isUndecided) || own.at(-1)?.state === "withdrawn";
}

export function isUndecided({ hold, state }: Notification): boolean {
  return hold !== undefined && hold.kind !== "withdrawn" && (state === "pending" || state === "muted");
}

/** The job that mutes a monitor. */
export function causeOf({ dependsOn }: ModelMonitor): ModelMonitor | undefined {
  return [...dependsOn].find(({ exists, enabled, outage, status }) => {
    return exists && enabled && outage !== undefined && groupOf(status) === "down";
  });
}

export interface Pair {
  monitor: ModelMonitor;
  channel: ModelChannel;
  /** All notifications of the pair, oldest first. */
  own: Notification[];
  now: number;
}

/**
 * Decides about the notifications of a monitor to a channel, in their order: a later one supersedes those before it.
 *
 * @returns those that must not exist any more
 */
export function decidePair(pair: Pair): Notification[] {
  const { monitor, own, now } = pair;
  const undecided = own.filter(isUndecided);
  const isDue = undecided.some(({ hold, lookAt }) => hold?.kind !== "delay" || lookAt <= now);
  if (!isDue || !monitor.enabled) return [];
  const removed: Notification[] = [];
  for (const [at, one] of undecided.entries()) {
    const later = undecided[at + 1];
    if (isHealthy(one)) {
      if (knowsTrouble(one, pair)) release(one, now);
      else removed.push(one);
    } else if (!later) decideTrouble(one, pair);
    else if (wasDue(one, pair)) release(one, now);
    else withdraw(one, isHealthy(later) ? "ended" : "superseded");
  }
  return removed;
}

function isHealthy({ to }: Notification): boolean {
  return groupOf(to) === "healthy";
}

/** A channel is notified of a recovery if it knows about the trouble, or if nothing about it was withheld. */
function knowsTrouble(recovery: Notification, { monitor, channel, own }: Pair): boolean {
  const told = toldOf(own, recovery);
  if (told && !isHealthy(told)) return true;
  return !isWithheld(recovery, own) && delayIn({ monitor, channel, own }) === 0;
}

/** The delay during the present outage, or else the latest one. */
function delayIn({ monitor, channel, own }: Omit<Pair, "now">): number {
  return delayOf(monitor, channel, monitor.outage ?? own.findLast(isUndecided)?.outage);
}

/** Whether something about the same trouble was withdrawn, after all that the channel received. */
function isWithheld(one: Notification, own: Notification[]): boolean {
  const before = own.slice(0, own.indexOf(one));
  const told = before.findLastIndex(wasTold);
  return before.some(
    ({ state, trouble }, at) => at > told && state === "withdrawn" && trouble === one.trouble,
  );
}

function decideTrouble(one: Notification, pair: Pair): void {
  const { monitor, own, now } = pair;
  const isKnown = knowsAlready(one, own);
  if (isOver(one, pair)) {
    if (!isKnown && wasDue(one, pair)) release(one, now);
    else withdraw(one, "ended");
    return;
  }
  if (!monitor.outage) return;
  one.outage = monitor.outage;
  if (isKnown) {
    withdraw(one, "ended");
    return;
  }
  const after = delayIn(pair);
  const isAcknowledged = after > 0 && monitor.outage.isAcknowledged;
  if (isLooking(one, pair)) {
    if (isAcknowledged && one.state === "pending") withdraw(one, "acknowledged");
    return;
  }
  const cause = isWorse(one, own) ? causeOf(monitor) : undefined;
  if (cause) {
    Object.assign(one, { hold: { kind: "muted" }, state: "muted" });
    return;
  }
  if (one.hold?.kind === "muted" && monitor.kind !== "job") look(one, now);
  else if (isAcknowledged) withdraw(one, "acknowledged");
  else if (after > 0 && now < (one.outage?.startedAt ?? 0) + after)
    Object.assign(one, {
      hold: { kind: "delay" },
      state: "pending",
      lookAt: (one.outage?.startedAt ?? 0) + after,
    });
  else if (isOld(one, pair)) look(one, now);
  else release(one, now);
}

function look(one: Notification, now: number): void {
  one.hold = { kind: "recheck", since: now, until: now + RECHECK };
}

/** Whether a notification waits for a check of its monitor. Nobody looks at the answer while no server runs. */
function isLooking(one: Notification, { monitor, now }: Pair): boolean {
  if (one.hold?.kind !== "recheck") return false;
  const { since, until } = one.hold;
  if (now < since || (now - until > PRESENT && !isPresent(monitor, now))) look(one, now);
  else if (now >= until || monitor.latestAt >= since) return false;
  return true;
}

/** Whether what is known of a monitor is too old to notify anybody of it (behavior 14.8). */
function isOld({ hold, createdAt }: Notification, { monitor, now }: Pair): boolean {
  if (monitor.kind === "job" || hold?.kind === "recheck") return false;
  if (hold?.kind === "new" && now - createdAt <= PRESENT) return false;
  return !isPresent(monitor, now);
}

function isPresent({ latestAt }: ModelMonitor, now: number): boolean {
  return Math.abs(now - latestAt) <= PRESENT;
}

/** Also if the status is better now, and the channel does not list it. */
function isOver(one: Notification, { monitor, channel }: Pair): boolean {
  const present = groupOf(monitor.status);
  if (present === "healthy") return true;
  return LEVELS.indexOf(present) < levelOf(one) && !channel.notifyOn.includes(present);
}

/** Whether the channel knows the status, because what came between was never sent (behavior 14.19). */
function knowsAlready(one: Notification, own: Notification[]): boolean {
  const told = toldOf(own, one);
  return (
    told?.to === one.to &&
    told.trouble === one.trouble &&
    (one.hold?.kind === "resumed" || isWithheld(one, own))
  );
}

/** Whether a notification was to be sent at once, before a later one, and only was not decided in time. */
function wasDue(one: Notification, pair: Pair): boolean {
  if (one.hold?.kind !== "new" || delayIn(pair) > 0) return false;
  return !isWorse(one, pair.own) || !causeOf(pair.monitor);
}

const LEVELS = ["healthy", "warning", "down"] as const;

function levelOf({ to }: Notification): number {
  return LEVELS.indexOf(groupOf(to));
}

/** Only a change for the worse, or of trouble that the channel does not know, is muted. */
function isWorse(one: Notification, own: Notification[]): boolean {
  const told = toldOf(own, one);
  return !told || told.trouble !== one.trouble || isHealthy(told) || levelOf(one) > levelOf(told);
}

/** The last notification of the channel. */
function toldOf(own: Notification[], before: Notification): Notification | undefined {
  return own.slice(0, own.indexOf(before)).findLast(wasTold);
}

function wasTold({ state, hold }: Notification): boolean {
  return state === "delivered" || (state === "pending" && hold === undefined);
}

function release(one: Notification, now: number): void {
  Object.assign(one, { hold: undefined, state: "pending", dueAt: now, touchedAt: now, releasedAt: now });
}

export function withdraw(one: Notification, why: "ended" | "acknowledged" | "superseded" | "paused"): void {
  Object.assign(one, { hold: { kind: "withdrawn", why }, state: "withdrawn" });
}

/** When a notification may be decided in another way than now, because time passes; undefined if never. */
export function decisionAt(monitor: ModelMonitor, one: Notification): number | undefined {
  if (one.hold?.kind === "recheck") return one.hold.until;
  if (one.hold?.kind !== "delay" || !monitor.outage) return undefined;
  return monitor.outage.startedAt + delayOf(monitor, one.channel);
}
