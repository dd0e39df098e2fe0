import type { NotifyOn } from "../../../src/domain/alerts/notify.ts";
import {
  decidePair,
  decisionAt,
  groupOf,
  isHeldAtFirst,
  isUndecided,
  type Pair,
  withdraw,
} from "./decisions.ts";

/*
 * The rules of behavior 5.1 to 5.25, 13.60 and 14.10 to 14.29, stated a second time and as simply as possible: in memory, one step after another,
 * without SQL, timers or I/O. It shares no code with the product.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds until the product notices that time has passed. */
const RELEASED_WITHIN = 1100;

/** The delays before the second to the sixth attempt (behavior 5.13). */
const DELAYS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];

export interface ModelChannel {
  id: string;
  organizationId: string;
  exists: boolean;
  enabled: boolean;
  notifyOn: NotifyOn;
  address: string;
  /** Whether it is a default channel, which gets notices too. */
  isDefault: boolean;
  /** The attempt that is running, or whose outcome is not written yet. */
  attempt: Attempt | undefined;
}

export interface ModelMonitor {
  id: string;
  organizationId: string;
  exists: boolean;
  enabled: boolean;
  status: string;
  /** The revision of its config, as checks know it. */
  revision: number;
  channels: Set<ModelChannel>;
  results: ModelResult[];
  kind: "probed" | "job";
  /** Jobs only. */
  dependsOn: Set<ModelMonitor>;
  /** Milliseconds for which trouble must last before a channel is notified. Absent: 0. */
  delays: Map<ModelChannel, Delay>;
  /** The open one. */
  outage: ModelOutage | undefined;
  /** The trouble since it was healthy last, which a pause does not end. */
  trouble: object | undefined;
  /** When its latest result was made. */
  latestAt: number;
}

/** @property kept what held before a change, for the outage that was open then */
export interface Delay {
  after: number;
  kept?: { outage: ModelOutage; after: number } | undefined;
}

/** @property endedAt absent while it is open */
export interface ModelOutage {
  startedAt: number;
  endedAt?: number;
  isAcknowledged: boolean;
}

/**
 * Why a notification is not sent yet, or is not to be sent.
 *
 * - `new`, `delay`: it may be sent later. `resumed`: no result has told yet whether the trouble lasts after a pause.
 * - `muted`: a monitor that its monitor depends on is down. `recheck`: its own monitor is checked first.
 */
export type ModelHold =
  | { kind: "new" | "delay" | "muted" | "resumed" }
  | { kind: "recheck"; since: number; until: number }
  | { kind: "withdrawn"; why: "ended" | "acknowledged" | "superseded" | "paused" };

export interface ModelResult {
  status: string;
  notifications: Notification[];
}

/** A notification that must exist. Times are of the wall clock, in milliseconds since 1970. */
export interface Notification {
  channel: ModelChannel;
  /** Null for a notice. */
  monitor: ModelMonitor | null;
  /** The previous status; empty for a notice. */
  from: string;
  /** The new status, or the type of a notice. */
  to: string;
  state: "pending" | "delivered" | "failed" | "muted" | "withdrawn";
  /** Undefined once it was released. */
  hold: ModelHold | undefined;
  outage: ModelOutage | undefined;
  /** Equal for all notifications about the same trouble, its recovery included. */
  trouble: object | undefined;
  createdAt: number;
  /** When it is decided again if it waits for its delay, except if something asks for that earlier. */
  lookAt: number;
  /** When the product may have released it: a second later it must have. */
  releasedAt: number;
  attempts: number;
  error: string | null;
  deliveredAt: number | null;
  dueAt: number;
  /** When it was created or last tried. A clock that is set back further makes it due. */
  touchedAt: number;
  /** Whether its result is on the disk. A new process does not know, and syncs when it needs to. */
  synced: "yes" | "no" | "unknown";
  /** Known since the first attempt. */
  id: string | undefined;
  /** How often the receiver accepted it. */
  arrivals: number;
  /** How many attempts a crash cut off before their outcome was written. */
  cutOff: number;
}

export interface Attempt {
  notification: Notification;
  startedAt: number;
  address: string;
  ended: { answer: Answer; at: number; elapsed: number } | undefined;
}

/** The answer of a receiver, as an attempt reports it. */
export type Answer =
  | { outcome: "delivered" }
  | { outcome: "failed"; error: string; final: boolean; retryAfterMs?: number };

/** An attempt of the dispatcher. */
export interface Sent {
  address: string;
  id: string;
  monitorId: string | null;
  organizationId: string;
  from: string;
  to: string;
}

export class OutboxRules {
  readonly channels: ModelChannel[] = [];
  readonly monitors: ModelMonitor[] = [];
  /** In the order in which they were written. */
  readonly notifications: Notification[] = [];
  /** Whether the disk rejects syncs, so that new results stay unsynced. */
  syncsFail = false;

  /** A result was committed (behavior 5.1 to 5.9). */
  record(monitor: ModelMonitor, status: string, at: number): void {
    const from = monitor.status;
    monitor.status = status;
    monitor.latestAt = at;
    const trouble = continueTrouble(monitor, from);
    const { outage } = this.#continueOutage(monitor, from, at);
    // Each sync covers all earlier results.
    if (!this.syncsFail) for (const notification of this.notifications) notification.synced = "yes";
    const synced = this.syncsFail ? "no" : "yes";
    const isTransition = from !== status && !(from === "unknown" && groupOf(status) === "healthy");
    if (isTransition) this.decideAgain((one) => one.monitor === monitor);
    if (groupOf(from) === "down" && groupOf(status) !== "down") this.decideDependents(monitor);
    const channels = isTransition && monitor.enabled ? this.channels : [];
    const notifications = channels
      .filter((channel) => monitor.channels.has(channel) && channel.enabled)
      .filter((channel) => this.#wants(channel, monitor, from, status))
      .map((channel) => {
        const isHeld = isHeldAtFirst({ monitor, channel, outage, own: this.#ownOf(monitor, channel) });
        const hold = isHeld ? ({ kind: "new" } as const) : undefined;
        return newNotification({ channel, monitor, from, to: status, at, synced, outage, trouble, hold });
      });
    this.notifications.push(...notifications);
    monitor.results.push({ status, notifications });
  }

  /** @returns the outage that a result begins, continues or ends */
  #continueOutage(monitor: ModelMonitor, from: string, at: number): { outage: ModelOutage | undefined } {
    const { outage, status, enabled } = monitor;
    if (groupOf(status) === "healthy") {
      if (outage) outage.endedAt = at;
      monitor.outage = undefined;
      return { outage };
    }
    if (!outage && enabled) {
      monitor.outage = { startedAt: at, isAcknowledged: false };
    } else if (outage && groupOf(from) === "warning" && groupOf(status) === "down")
      outage.isAcknowledged = false;
    return monitor;
  }

  /** The next result decides about what the pause withdrew. */
  resume(monitor: ModelMonitor): void {
    for (const channel of monitor.channels) {
      const latest = this.#ownOf(monitor, channel).at(-1);
      if (latest?.hold?.kind === "withdrawn" && latest.hold.why === "paused")
        Object.assign(latest, { hold: { kind: "resumed" }, state: "pending" });
    }
  }

  /** Behavior 14.10 to 14.29. To be called after each change, and when time passes. */
  review(now: number): void {
    for (const { monitor, channel, own } of this.#pairs()) {
      const removed = decidePair({ monitor, channel, own, now });
      for (const one of removed) this.#remove(one);
    }
  }

  /** Something changed that may decide what waits for its delay (behavior 14.52). */
  decideAgain(isConcerned: (one: Notification) => boolean): void {
    for (const one of this.notifications) if (isConcerned(one)) one.lookAt = Number.NEGATIVE_INFINITY;
  }

  /** A monitor is not down any more. */
  decideDependents(monitor: ModelMonitor): void {
    this.decideAgain((one) => one.monitor?.dependsOn.has(monitor) === true);
  }

  #pairs(): Omit<Pair, "now">[] {
    return this.monitors
      .filter(({ exists }) => exists)
      .flatMap((monitor) =>
        [...monitor.channels].map((channel) => ({ monitor, channel, own: this.#ownOf(monitor, channel) })),
      );
  }

  #remove(one: Notification): void {
    this.notifications.splice(this.notifications.indexOf(one), 1);
    for (const { notifications } of one.monitor?.results ?? [])
      if (notifications.includes(one)) notifications.splice(notifications.indexOf(one), 1);
  }

  #ownOf(monitor: ModelMonitor, channel: ModelChannel): Notification[] {
    return this.notifications.filter((one) => one.monitor === monitor && one.channel === channel);
  }

  /** @returns whether there is an outage to acknowledge */
  acknowledge({ outage }: ModelMonitor): boolean {
    if (outage) outage.isAcknowledged = true;
    this.decideAgain((one) => one.outage === outage);
    return outage !== undefined;
  }

  takeBack(monitor: ModelMonitor): void {
    if (!monitor.outage?.isAcknowledged) return;
    monitor.outage.isAcknowledged = false;
    for (const channel of monitor.channels) {
      const latest = this.#ownOf(monitor, channel).findLast(({ outage }) => outage === monitor.outage);
      if (latest?.hold?.kind === "withdrawn" && latest.hold.why === "acknowledged")
        Object.assign(latest, {
          hold: { kind: "delay" },
          state: "pending",
          lookAt: Number.NEGATIVE_INFINITY,
        });
    }
  }

  /** A pause ends the outage, and withdraws what is not decided. */
  pause(monitor: ModelMonitor, now: number): void {
    if (monitor.outage) monitor.outage.endedAt = now;
    monitor.outage = undefined;
    this.decideDependents(monitor);
    for (const one of this.notifications)
      if (one.monitor === monitor && isUndecided(one)) withdraw(one, "paused");
  }

  /** A notice was committed (behavior 13.60). The dispatcher syncs it when it needs to. */
  notify(organizationId: string, type: string, at: number): void {
    const synced = this.syncsFail ? "no" : "unknown";
    const channels = this.channels.filter(
      (channel) =>
        channel.organizationId === organizationId && channel.exists && channel.isDefault && channel.enabled,
    );
    for (const channel of channels)
      this.notifications.push(newNotification({ channel, monitor: null, from: "", to: type, at, synced }));
  }

  /** Behavior 5.7 and 5.9. */
  #wants(channel: ModelChannel, monitor: ModelMonitor, from: string, to: string): boolean {
    const [before, after] = [groupOf(from), groupOf(to)];
    if (!channel.notifyOn.includes(after)) return false;
    if (after !== "healthy" || channel.notifyOn.includes(before)) return true;
    const last = this.notifications.findLast(
      (one) => one.channel === channel && one.monitor === monitor && one.state !== "failed",
    );
    return last !== undefined && groupOf(last.to) !== "healthy";
  }

  /** The only notification that may be tried: the oldest that is pending (behavior 5.12). */
  head(channel: ModelChannel): Notification | undefined {
    return this.notifications.find((one) => one.channel === channel && isWaiting(one));
  }

  /** Like `head`, if the product has not released yet what it may release within a second. */
  #headBefore(channel: ModelChannel, now: number): Notification | undefined {
    return this.notifications.find(
      (one) => one.channel === channel && isWaiting(one) && one.releasedAt < now - RELEASED_WITHIN,
    );
  }

  /** The head of a channel if nothing but time keeps it from being tried. */
  ready(channel: ModelChannel): Notification | undefined {
    const head = channel.attempt ? undefined : this.head(channel);
    return head?.synced === "yes" || (head?.synced === "unknown" && !this.syncsFail) ? head : undefined;
  }

  /** @throws Error if this attempt may not start now */
  start(channel: ModelChannel, sent: Sent, now: number): Attempt {
    const { attempt } = channel;
    // Another attempt only follows after the outcome of the previous one was written.
    if (attempt?.ended) this.write(attempt);
    else if (attempt) throw new Error("two attempts at one channel run at the same time (5.12)");
    const isSent = (one: Notification | undefined) =>
      one?.to === sent.to && (one.monitor?.id ?? null) === sent.monitorId;
    const heads = [this.head(channel), this.#headBefore(channel, now)];
    const notification = heads.find((one) => isSent(one)) ?? heads[0];
    if (!notification)
      throw new Error(`${describeSent(sent)} was sent, but nothing is pending (5.11, 5.20, 5.22)`);
    const expected = {
      monitorId: notification.monitor?.id ?? null,
      from: notification.from,
      to: notification.to,
    };
    const { id, organizationId, address, ...content } = sent;
    if (!Bun.deepEquals(content, expected) || organizationId !== channel.organizationId)
      throw new Error(`${describeSent(sent)} was sent instead of ${describe(notification)} (5.12)`);
    if (address !== channel.address)
      throw new Error(`${describe(notification)} was sent to a previous address`);
    notification.id ??= id;
    if (notification.id !== id) throw new Error(`${describe(notification)} was sent with another ID (5.33)`);
    if (notification.synced === "no")
      throw new Error(`${describe(notification)} was sent before it was on the disk (5.6)`);
    if (!isDue(notification, now))
      throw new Error(
        `${describe(notification)} was sent ${notification.dueAt - now} ms too early (5.13, 5.15)`,
      );
    notification.synced = "yes";
    channel.attempt = { notification, startedAt: now, address, ended: undefined };
    return channel.attempt;
  }

  /** The outcome of an attempt was written (behavior 5.13, 5.15, 5.16, 5.20, 5.21). */
  write({ notification, ended, startedAt, address }: Attempt): void {
    const { channel } = notification;
    channel.attempt = undefined;
    if (!ended) throw new Error("an outcome was written before the answer");
    const { answer, at } = ended;
    if (answer.outcome === "failed" && channel.exists && channel.address !== address) return;
    notification.attempts++;
    notification.touchedAt = startedAt;
    if (answer.outcome === "delivered")
      Object.assign(notification, { state: "delivered", error: null, deliveredAt: at });
    else if (notification.state === "pending") {
      const delay = answer.final ? undefined : DELAYS[notification.attempts - 1];
      if (delay === undefined) notification.state = "failed";
      else notification.dueAt = at + Math.max(delay, Math.min(answer.retryAfterMs ?? 0, HOUR));
      notification.error = answer.error;
    }
  }

  /** Ends pending notifications (behavior 5.20). */
  cancel(channel: ModelChannel, error: string, monitor?: ModelMonitor): void {
    for (const notification of this.#pendingOf(channel))
      if (!monitor || notification.monitor === monitor)
        Object.assign(notification, { state: "failed", error, hold: undefined });
  }

  /** Behavior 5.21. */
  changeAddress(channel: ModelChannel, address: string, now: number): void {
    channel.address = address;
    for (const notification of this.#pendingOf(channel)) notification.dueAt = now;
  }

  #pendingOf(channel: ModelChannel): Notification[] {
    return this.notifications.filter(
      (one) => one.channel === channel && (one.state === "pending" || isUndecided(one)),
    );
  }

  /** The process ended, and its attempts have no outcome. */
  crash(): void {
    this.decideAgain(() => true);
    for (const notification of this.notifications) notification.synced = this.syncsFail ? "no" : "unknown";
    for (const channel of this.channels) {
      if (channel.attempt) channel.attempt.notification.cutOff++;
      channel.attempt = undefined;
    }
  }

  acceptSyncs(): void {
    this.syncsFail = false;
    for (const notification of this.notifications)
      if (notification.synced === "no") notification.synced = "unknown";
  }

  /** Milliseconds until something is due; undefined if nothing is pending that could be tried. */
  untilDue(now: number): number | undefined {
    const heads = this.channels.map((channel) => this.ready(channel)).filter((one) => one !== undefined);
    const waits = heads.map((one) => (isDue(one, now) ? 0 : one.dueAt - now));
    const all = [...waits, ...this.#decisionTimes().map((at) => Math.max(0, at - now))];
    return all.length === 0 ? undefined : Math.min(...all);
  }

  /** Milliseconds until time decides nothing any more. After the clock was set back, that is hours. */
  untilDecided(now: number): number {
    return Math.max(0, ...this.#decisionTimes().map((at) => at - now));
  }

  #decisionTimes(): number[] {
    return this.#pairs().flatMap(({ monitor, own }) =>
      monitor.enabled ? own.flatMap((one) => decisionAt(monitor, one) ?? []) : [],
    );
  }
}

/** @returns the trouble that a result begins, continues or ends */
function continueTrouble(monitor: ModelMonitor, from: string): object | undefined {
  const { trouble, status } = monitor;
  if (groupOf(status) === "healthy") monitor.trouble = undefined;
  else if (from === "unknown" || groupOf(from) === "healthy") monitor.trouble = {};
  return monitor.trouble ?? trouble;
}

/** Whether nothing deleted what a notification reports. */
export function existsStill({ monitor }: Notification): boolean {
  return monitor?.exists ?? true;
}

/** Whether it may be sent. */
function isWaiting(one: Notification): boolean {
  return one.state === "pending" && one.hold === undefined && existsStill(one);
}

export function isDue({ dueAt, touchedAt }: Notification, now: number): boolean {
  return dueAt <= now || touchedAt > now;
}

export function describe({ from, to, attempts, state }: Notification): string {
  return `${from} → ${to} (${state}, ${attempts} attempts)`;
}

function describeSent({ from, to }: Sent): string {
  return `${from} → ${to}`;
}

type NewNotification = Pick<Notification, "channel" | "monitor" | "from" | "to" | "synced"> &
  Partial<Pick<Notification, "hold" | "outage" | "trouble">> & { at: number };

function newNotification({ at, hold, outage, trouble, ...values }: NewNotification): Notification {
  return {
    ...{ ...values, hold, outage, trouble, createdAt: at, lookAt: at, releasedAt: Number.NEGATIVE_INFINITY },
    ...{ state: "pending", attempts: 0, error: null, deliveredAt: null },
    ...{ dueAt: at, touchedAt: at, id: undefined, arrivals: 0, cutOff: 0 },
  };
}
