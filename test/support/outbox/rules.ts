import type { NotifyOn } from "../../../src/domain/alerts/notify.ts";

/*
 * The rules of behavior 5.1 to 5.25, stated a second time and as simply as possible: in memory, one step after another,
 * without SQL, timers or I/O. It shares no code with the product.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delays before the second to the sixth attempt (behavior 5.13). */
const DELAYS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];

type Group = NotifyOn[number];

const GROUPS: Record<string, Group> = {
  unknown: "down",
  ...{ up: "healthy", down: "down" },
  ...{ present: "healthy", changed: "warning", missing: "down" },
  ...{ ok: "healthy", failed: "down" },
};

export interface ModelChannel {
  id: string;
  organizationId: string;
  exists: boolean;
  enabled: boolean;
  notifyOn: NotifyOn;
  address: string;
  /** The attempt that is running, or whose outcome is not written yet. */
  attempt: Attempt | undefined;
}

export interface ModelMonitor {
  id: string;
  organizationId: string;
  exists: boolean;
  enabled: boolean;
  status: string;
  /** Of its config, as checks know it. */
  revision: number;
  channels: Set<ModelChannel>;
  results: ModelResult[];
}

export interface ModelResult {
  status: string;
  notices: Notice[];
}

/** A notification that must exist. Times are those of the wall clock, in milliseconds since 1970. */
export interface Notice {
  channel: ModelChannel;
  monitor: ModelMonitor;
  from: string;
  to: string;
  state: "pending" | "delivered" | "failed";
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
  notice: Notice;
  startedAt: number;
  address: string;
  ended: { answer: Answer; at: number; elapsed: number } | undefined;
}

/** What a receiver answers, as an attempt reports it. */
export type Answer =
  | { outcome: "delivered" }
  | { outcome: "failed"; error: string; final: boolean; retryAfterMs?: number };

/** What the dispatcher sent. */
export interface Sent {
  address: string;
  id: string;
  monitorId: string;
  organizationId: string;
  from: string;
  to: string;
}

export class OutboxRules {
  readonly channels: ModelChannel[] = [];
  readonly monitors: ModelMonitor[] = [];
  /** In the order in which they were written. */
  readonly notices: Notice[] = [];
  /** Whether the disk rejects syncs, so that new results stay unsynced. */
  syncsFail = false;

  /** A result was committed (behavior 5.1 to 5.9). */
  record(monitor: ModelMonitor, status: string, at: number): void {
    const from = monitor.status;
    monitor.status = status;
    // Each sync covers all earlier results.
    if (!this.syncsFail) for (const notice of this.notices) notice.synced = "yes";
    const synced = this.syncsFail ? "no" : "yes";
    const isTransition = from !== status && !(from === "unknown" && GROUPS[status] === "healthy");
    const channels = isTransition && monitor.enabled ? this.channels : [];
    const notices = channels
      .filter((channel) => monitor.channels.has(channel) && channel.enabled)
      .filter((channel) => this.#wants(channel, monitor, from, status))
      .map((channel) => newNotice({ channel, monitor, from, to: status, at, synced }));
    this.notices.push(...notices);
    monitor.results.push({ status, notices });
  }

  /** Behavior 5.7 and 5.9. */
  #wants(channel: ModelChannel, monitor: ModelMonitor, from: string, to: string): boolean {
    const [before, after] = [groupOf(from), groupOf(to)];
    if (!channel.notifyOn.includes(after)) return false;
    if (after !== "healthy" || channel.notifyOn.includes(before)) return true;
    const last = this.notices.findLast(
      (one) => one.channel === channel && one.monitor === monitor && one.state !== "failed",
    );
    return last !== undefined && groupOf(last.to) !== "healthy";
  }

  /** The only notification that may be tried: the oldest that is pending (behavior 5.12). */
  head(channel: ModelChannel): Notice | undefined {
    return this.notices.find(
      (one) => one.channel === channel && one.state === "pending" && one.monitor.exists,
    );
  }

  /** The head of a channel if nothing but time keeps it from being tried. */
  ready(channel: ModelChannel): Notice | undefined {
    const head = channel.attempt ? undefined : this.head(channel);
    return head?.synced === "yes" || (head?.synced === "unknown" && !this.syncsFail) ? head : undefined;
  }

  /** @throws Error if this attempt may not start now */
  start(channel: ModelChannel, sent: Sent, now: number): Attempt {
    const { attempt } = channel;
    // Another attempt only follows after the outcome of the previous one was written.
    if (attempt?.ended) this.write(attempt);
    else if (attempt) throw new Error("two attempts at one channel run at the same time (5.12)");
    const notice = this.head(channel);
    if (!notice) throw new Error(`${describeSent(sent)} was sent, but nothing is pending (5.11, 5.20, 5.22)`);
    const expected = { monitorId: notice.monitor.id, from: notice.from, to: notice.to };
    const { id, organizationId, address, ...content } = sent;
    if (!Bun.deepEquals(content, expected) || organizationId !== notice.monitor.organizationId)
      throw new Error(`${describeSent(sent)} was sent instead of ${describe(notice)} (5.12)`);
    if (address !== channel.address) throw new Error(`${describe(notice)} was sent to a previous address`);
    notice.id ??= id;
    if (notice.id !== id) throw new Error(`${describe(notice)} was sent with another ID (5.33)`);
    if (notice.synced === "no")
      throw new Error(`${describe(notice)} was sent before it was on the disk (5.6)`);
    if (!isDue(notice, now))
      throw new Error(`${describe(notice)} was sent ${notice.dueAt - now} ms too early (5.13, 5.15)`);
    notice.synced = "yes";
    channel.attempt = { notice, startedAt: now, address, ended: undefined };
    return channel.attempt;
  }

  /** The outcome of an attempt was written (behavior 5.13, 5.15, 5.16, 5.20, 5.21). */
  write({ notice, ended, startedAt, address }: Attempt): void {
    const { channel } = notice;
    channel.attempt = undefined;
    if (!ended) throw new Error("an outcome was written before the answer");
    const { answer, at } = ended;
    if (answer.outcome === "failed" && channel.exists && channel.address !== address) return;
    notice.attempts++;
    notice.touchedAt = startedAt;
    if (answer.outcome === "delivered")
      Object.assign(notice, { state: "delivered", error: null, deliveredAt: at });
    else if (notice.state === "pending") {
      const delay = answer.final ? undefined : DELAYS[notice.attempts - 1];
      if (delay === undefined) notice.state = "failed";
      else notice.dueAt = at + Math.max(delay, Math.min(answer.retryAfterMs ?? 0, HOUR));
      notice.error = answer.error;
    }
  }

  /** Ends pending notifications (behavior 5.20). */
  cancel(channel: ModelChannel, error: string, monitor?: ModelMonitor): void {
    for (const notice of this.#pendingOf(channel))
      if (!monitor || notice.monitor === monitor) Object.assign(notice, { state: "failed", error });
  }

  /** Behavior 5.21. */
  changeAddress(channel: ModelChannel, address: string, now: number): void {
    channel.address = address;
    for (const notice of this.#pendingOf(channel)) notice.dueAt = now;
  }

  #pendingOf(channel: ModelChannel): Notice[] {
    return this.notices.filter((one) => one.channel === channel && one.state === "pending");
  }

  /** The process ended, and its attempts have no outcome. */
  crash(): void {
    for (const notice of this.notices) notice.synced = this.syncsFail ? "no" : "unknown";
    for (const channel of this.channels) {
      if (channel.attempt) channel.attempt.notice.cutOff++;
      channel.attempt = undefined;
    }
  }

  acceptSyncs(): void {
    this.syncsFail = false;
    for (const notice of this.notices) if (notice.synced === "no") notice.synced = "unknown";
  }

  /** Milliseconds until something is due; undefined if nothing is pending that could be tried. */
  untilDue(now: number): number | undefined {
    const heads = this.channels.map((channel) => this.ready(channel)).filter((one) => one !== undefined);
    if (heads.length === 0) return undefined;
    return Math.min(...heads.map((one) => (isDue(one, now) ? 0 : one.dueAt - now)));
  }
}

export function groupOf(status: string): Group {
  const group = GROUPS[status];
  if (!group) throw new Error(`the model does not know the status ${status}`);
  return group;
}

export function isDue({ dueAt, touchedAt }: Notice, now: number): boolean {
  return dueAt <= now || touchedAt > now;
}

export function describe({ from, to, attempts, state }: Notice): string {
  return `${from} → ${to} (${state}, ${attempts} attempts)`;
}

function describeSent({ from, to }: Sent): string {
  return `${from} → ${to}`;
}

type NewNotice = Pick<Notice, "channel" | "monitor" | "from" | "to" | "synced"> & { at: number };

function newNotice({ at, ...values }: NewNotice): Notice {
  return {
    ...values,
    ...{ state: "pending", attempts: 0, error: null, deliveredAt: null },
    ...{ dueAt: at, touchedAt: at, id: undefined, arrivals: 0, cutOff: 0 },
  };
}
