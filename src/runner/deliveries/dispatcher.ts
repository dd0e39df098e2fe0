import { deliver } from "../../alerts/deliver.ts";
import { type DeliverySettings, TIMEOUT } from "../../alerts/post.ts";
import type { Cancel, Clock } from "../../clock.ts";
import { descriptorLimit, lacksDescriptors } from "../../descriptors.ts";
import { acknowledgeable, type Notification } from "../../domain/alerts/alert-event.ts";
import { CHANNEL_LEASE, type DeliveryAttempt } from "../../domain/alerts/delivery.ts";
import { GATHER_FOR, MESSAGE_PACE } from "../../domain/alerts/notify.ts";
import { WITHIN } from "../../domain/causes/causes.ts";
import { StorageFault } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Claimant, Due, EndedAttempt, Gathering, PendingDelivery, Store } from "../../store/store.ts";
import type { CauseWatch } from "../causes/cause-watch.ts";
import { createFaultLog, createLoop } from "../loop.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** Concurrent attempts, each to another channel; half of them for a single organization. */
const MAX_ATTEMPTS = 400;

/** The share of the descriptors for attempts: the checks get most of the others (`concurrency-limit.ts`). */
const SHARE_OF_DESCRIPTORS = 0.1;

const SCAN_EVERY = 1000;

/**
 * Delay that batches ended attempts into one scan, in milliseconds and in multiples of the duration of the last query:
 * with many thousands of dead channels the query is slow.
 */
const PAUSE = 10;
const PAUSE_PER_QUERY = 1;

/** Milliseconds for which attempts are started before other work runs. */
const SLICE = 4;

/** Deliveries that are claimed in one transaction: about half a slice on SQLite. */
const MAX_CLAIMS = 50;

/** How long a notification waits for a look for causes that has not seen its trouble, in milliseconds. */
const LOOKED_WITHIN = 1500;

/** Milliseconds from a claim to the start of its attempt, so that the attempt ends before the claim does. */
const START_WITHIN = CHANNEL_LEASE - TIMEOUT;

/** Delivers what is in the outbox: to each channel one at a time and in order, to all channels concurrently. */
export interface Dispatcher {
  start(): void;
  /** Scans for due deliveries before the next second, for example after a transition. */
  wake(): void;
  /** Starts no more attempts and waits for the running ones. @param timeout milliseconds */
  stop(timeout: number): Promise<void>;
}

export function createDispatcher({
  store,
  clock,
  claimant,
  log,
  settings,
  metrics,
  deliver: send = deliver,
  max = maxAttempts(),
  isShort = lacksDescriptors,
  isOffline = () => false,
  onAnswer = () => {},
  causes = { isUndecided: () => false, wake() {} },
}: {
  store: Store;
  clock: Clock;
  claimant: () => Claimant;
  log: Logger;
  settings: DeliverySettings;
  metrics: Pick<Metrics, "attempted">;
  /** Makes one attempt. Default: `deliver` of the registry. */
  deliver?: typeof deliver;
  /** Concurrent attempts. */
  max?: number;
  /** Whether an attempt would fail for lack of descriptors. */
  isShort?: () => boolean;
  /** Whether the network of this machine is offline: a repetition would use up one of the attempts (behavior 13.57). */
  isOffline?: () => boolean;
  /** Called when a receiver has answered, with a failure too. */
  onAnswer?: () => void;
  /** Says which troubles may get a cause in common with others. */
  causes?: Pick<CauseWatch, "isUndecided" | "wake">;
}): Dispatcher {
  const places = createFairShare(max);
  const pace = createPace(clock);
  const running = new Set<Promise<void>>();
  /** The channels with an attempt that is running or not recorded yet. */
  const busy = new Set<number>();
  const records = createAttemptRecords({ store, log, onRecorded: report });
  let sync: "idle" | "running" | "failed" = "idle";
  let queryTook = 0;
  /** How many channels gathered at the last scan. */
  let gatheringCount = 0;
  /** When a channel that takes digests last got a message, by its number, the earliest first; on the monotonic clock. */
  const toldAt = new Map<number, number>();
  /** Cancels the scan at which the first channel that waits may get its next message. */
  let cancelPaced: Cancel | undefined;
  const loop = createLoop({
    clock,
    every: SCAN_EVERY,
    onTick: wake,
    task: scan,
    pause: () => Math.max(PAUSE, PAUSE_PER_QUERY * queryTook),
    faults: createFaultLog(log, "due deliveries could not be read"),
  });

  function wake(): void {
    records.retry();
    loop.wake();
  }

  async function scan(): Promise<void> {
    try {
      await records.save();
      await startDue();
    } catch (error) {
      // After a stop, the database may be closed.
      if (!loop.isStopped()) throw error;
    }
  }

  async function listNext(): Promise<Due[]> {
    const startedAt = clock.monotonic();
    // Running deliveries, and channels that gather or wait for their pace, are still due in the database, hence the sum.
    const limit = busy.size + pace.size() + gatheringCount + max;
    const due = await store.deliveries.listDue(claimant(), { now: clock.now(), limit });
    queryTook = clock.monotonic() - startedAt;
    return due;
  }

  async function startDue(): Promise<void> {
    const due = loop.isStopped() ? [] : await listNext();
    // The next scan starts them (behavior 5.39).
    if (due.length > 0 && isShort()) return;
    const waits = ({ attempts }: Due) => attempts > 0 && isOffline();
    const ready = due.filter((one) => !busy.has(one.channelPk) && !waits(one));
    const free = inTime(ready, await listGathering(ready));
    const endSlice = createSlices();
    for (let at = 0; at < free.length && !loop.isStopped(); at += MAX_CLAIMS)
      await startSome(await listSynced(free.slice(at, at + MAX_CLAIMS)), endSlice);
  }

  /** How long some deliveries wait for others of the same cause, by their numbers (behavior 22.26); milliseconds. */
  async function listGathering(due: readonly Due[]): Promise<Map<number, number>> {
    dropLongTold();
    const some = due.filter(
      ({ attempts, hasCause, channelPk }) => attempts === 0 && (hasCause || toldAt.has(channelPk)),
    );
    gatheringCount = 0;
    if (some.length === 0) return new Map();
    const now = clock.now();
    const pks = some.map(({ pk }) => pk);
    const gathering = await store.deliveries.listGathering(pks, now - WITHIN);
    gatheringCount = gathering.length;
    return new Map(gathering.map((one) => [one.pk, gatheringTime(one, now)]));
  }

  function dropLongTold(): void {
    const now = clock.monotonic();
    for (const [channelPk, at] of toldAt) {
      if (at > now - WITHIN) return;
      toldAt.delete(channelPk);
    }
  }

  function gatheringTime({ createdAt, unexplained }: Gathering, now: number): number {
    const ends = unexplained.map(({ outagePk, createdAt: waitsSince }) => {
      const isUndecided = causes.isUndecided(outagePk);
      if (isUndecided !== undefined) return isUndecided ? Infinity : 0;
      causes.wake();
      return waitsSince + LOOKED_WITHIN;
    });
    // After the clock was set back, none waits.
    return createdAt > now ? 0 : Math.min(createdAt + GATHER_FOR, ...ends) - now;
  }

  /** Leaves out the channels that gather, or must wait for their pace, and scans again when the first of them may go on. */
  function inTime(due: Due[], gathering: ReadonlyMap<number, number>): Due[] {
    const waits = due.map((one) => Math.max(0, pace.waitOf(one), gathering.get(one.pk) ?? 0));
    const shortest = Math.min(...waits.filter((wait) => wait > 0));
    cancelPaced?.();
    const isLater = Number.isFinite(shortest) && !loop.isStopped();
    cancelPaced = isLater ? clock.after(shortest, loop.wake) : undefined;
    return due.filter((_, at) => waits[at] === 0);
  }

  /** @returns lets other work run if a slice has passed since it did */
  function createSlices(): () => Promise<void> {
    let end = clock.monotonic() + SLICE;
    return async () => {
      if (clock.monotonic() < end) return;
      await clock.sleep(0);
      end = clock.monotonic() + SLICE;
    };
  }

  async function listSynced(due: Due[]): Promise<Due[]> {
    const synced: Due[] = [];
    for (const one of due) if (await store.deliveries.isSynced(one.pk)) synced.push(one);
    if (synced.length < due.length) void syncAll();
    return synced;
  }

  /** Whether all deliveries of a message are on the disk: the later ones may not be yet. The next scan starts it then. */
  async function isSynced({ pk, others }: PendingDelivery): Promise<boolean> {
    if (await store.deliveries.isSynced(others.at(-1)?.pk ?? pk)) return true;
    void syncAll();
    return false;
  }

  async function startSome(due: Due[], endSlice: () => Promise<void>): Promise<void> {
    /** The organizations of the deliveries that have a place but no attempt yet. */
    const placed = new Map<number, number>();
    for (const { pk, organizationPk } of due) if (places.take(organizationPk)) placed.set(pk, organizationPk);
    if (placed.size === 0) return;
    try {
      const claimedAt = clock.monotonic();
      for (const delivery of await store.deliveries.claim([...placed.keys()], claimant(), clock.now())) {
        await endSlice();
        if (loop.isStopped()) return;
        // The process was suspended. Another node may have the channel by now.
        if (clock.monotonic() - claimedAt > START_WITHIN) return loop.wake();
        if (delivery.others.length > 0 && !(await isSynced(delivery))) continue;
        placed.delete(delivery.pk);
        start(delivery);
      }
    } finally {
      for (const organizationPk of placed.values()) places.release(organizationPk);
    }
  }

  /** Syncs deliveries that the recorder, or a previous process, did not sync. */
  async function syncAll(): Promise<void> {
    if (sync === "running") return;
    const before = sync;
    sync = "running";
    try {
      await store.recording.syncResults();
      sync = "idle";
      loop.wake();
    } catch (error) {
      sync = "failed";
      if (before === "idle") log.error({ err: error }, "notifications wait until they are on the disk");
    }
  }

  function start(delivery: PendingDelivery): void {
    busy.add(delivery.channel.pk);
    if (delivery.channel.takesDigests) noteMessage(delivery.channel.pk);
    const attempt = run(delivery);
    running.add(attempt);
    void attempt.then(() => {
      running.delete(attempt);
      places.release(delivery.organizationPk);
      loop.wake();
    });
  }

  function noteMessage(channelPk: number): void {
    pace.sent(channelPk);
    toldAt.delete(channelPk);
    toldAt.set(channelPk, clock.monotonic());
  }

  async function run(delivery: PendingDelivery): Promise<void> {
    const startedAt = clock.now();
    const attempt = await tryToDeliver(delivery, startedAt);
    if (attempt.outcome === "delivered" || attempt.answer !== undefined) onAnswer();
    records.add({ delivery, attempt, startedAt, endedAt: clock.now() });
  }

  /** A fault of this machine is a failed attempt too, so that it does not block the channel for ever. */
  async function tryToDeliver(
    { id, event, others, incident, channel }: PendingDelivery,
    now: number,
  ): Promise<DeliveryAttempt> {
    try {
      const content = { event, others: others.map((one) => one.event) };
      const acknowledgeUrl = linkFor({ id, now, ...content }, channel.id);
      const { language } = channel;
      return await send(channel, { id, ...content, incident, now, acknowledgeUrl, language }, settings);
    } catch (error) {
      log.error({ err: error, delivery: id, channel: channel.id }, "a delivery could not be made");
      return { outcome: "failed", error: "an internal error of this server", final: false };
    }
  }

  /** A new one for each attempt, so that it lasts as long for a notification that is sent late. */
  function linkFor(notification: Notification, channelId: string): string | undefined {
    const offered = acknowledgeable(notification);
    return offered && settings.acknowledgeUrl?.({ outageId: offered.outageId, channelId }, notification.now);
  }

  function report({ delivery, attempt }: MadeAttempt, willRetry: boolean): void {
    const { id, attempts, organizationId, channel, others } = delivery;
    busy.delete(channel.pk);
    metrics.attempted({ organizationId, type: channel.type }, { outcome: attempt.outcome, willRetry });
    const several = others.length > 0 && { notifications: others.length + 1 };
    const fields = { delivery: id, channel: channel.id, attempt: attempts + 1, ...several };
    if (attempt.outcome === "delivered") log.info(fields, "delivered");
    else log.warn({ ...fields, error: attempt.error }, "a delivery failed");
  }

  return {
    start() {
      loop.start();
      wake();
    },
    wake,
    async stop(timeout) {
      const scanned = loop.stop();
      cancelPaced?.();
      // A claim that is under way must not follow the release of all claims.
      await Promise.race([Promise.all([scanned, ...running]), clock.sleep(timeout)]);
      records.retry();
      await records.save();
    },
  };
}

/** How many attempts, at least one, may run at the same time with this number of file descriptors. */
export function maxAttempts(descriptors = descriptorLimit()): number {
  return Math.min(MAX_ATTEMPTS, Math.max(1, Math.floor(descriptors * SHARE_OF_DESCRIPTORS)));
}

/** A number of places that organizations share. */
export interface FairShare {
  /** Takes a place if one is left for this organization. */
  take(organizationPk: number): boolean;
  release(organizationPk: number): void;
}

/**
 * An organization uses at most as many places as stay free: half of them if it is alone, a third beside a second one. So
 * the next organization always finds a place.
 */
export function createFairShare(places: number): FairShare {
  const taken = new Map<number, number>();
  let total = 0;

  function add(organizationPk: number, change: 1 | -1): void {
    const own = (taken.get(organizationPk) ?? 0) + change;
    if (own === 0) taken.delete(organizationPk);
    else taken.set(organizationPk, own);
    total += change;
  }

  return {
    take(organizationPk) {
      if ((taken.get(organizationPk) ?? 0) >= places - total) return false;
      add(organizationPk, 1);
      return true;
    },
    release: (organizationPk) => add(organizationPk, -1),
  };
}

type MadeAttempt = EndedAttempt & { delivery: PendingDelivery };

/** Writes the outcomes of attempts. They are not lost, and their attempts not repeated, while the disk refuses writes. */
interface AttemptRecords {
  add(made: MadeAttempt): void;
  /** Lets the next `save` write what an earlier one could not. */
  retry(): void;
  /** Writes what was added, in one transaction. Faults are logged. */
  save(): Promise<void>;
}

/** @param onRecorded receives for each attempt whether another one follows */
function createAttemptRecords({
  store,
  log,
  onRecorded,
}: {
  store: Store;
  log: Logger;
  onRecorded: (made: MadeAttempt, willRetry: boolean) => void;
}): AttemptRecords {
  let added: MadeAttempt[] = [];
  let unrecorded: MadeAttempt[] = [];
  let acceptsRecords = true;

  async function saveGroup(group: MadeAttempt[]): Promise<void> {
    let willRetry: boolean[];
    try {
      willRetry = await store.deliveries.recordAttempts(group);
    } catch (error) {
      // One attempt that can't be written must not keep the others from being written.
      if (group.length === 1 || error instanceof StorageFault) keep(group, error);
      else for (const one of group) await saveGroup([one]);
      return;
    }
    acceptsRecords = true;
    // Before the next attempt of these channels. After a crash, the next answer of the receiver says it again.
    await disableGone(group.filter((_, at) => willRetry[at] === false));
    for (const [at, one] of group.entries()) onRecorded(one, willRetry[at] ?? false);
  }

  async function disableGone(ended: MadeAttempt[]): Promise<void> {
    for (const { delivery, attempt, endedAt } of ended) {
      if (attempt.outcome !== "failed" || !attempt.isGone) continue;
      const { channel } = delivery;
      try {
        await store.channels.disableGone(channel, endedAt);
      } catch (error) {
        log.error({ err: error, channel: channel.id }, "a channel without a receiver could not be disabled");
      }
    }
  }

  function keep(group: MadeAttempt[], error: unknown): void {
    if (acceptsRecords) log.error({ err: error }, "outcomes of deliveries can't be written yet");
    acceptsRecords = false;
    unrecorded.push(...group);
  }

  return {
    add: (made) => void added.push(made),
    retry() {
      added.unshift(...unrecorded);
      unrecorded = [];
    },
    async save() {
      const group = added;
      added = [];
      if (group.length > 0) await saveGroup(group);
    },
  };
}

/** How fast this node sends messages to the channels that people read (behavior 14.67): the GCRA with `MESSAGE_PACE`. */
interface Pace {
  /** Milliseconds until a channel may get its next message; 0 if it may now. */
  waitOf(channel: Pick<Due, "channelPk">): number;
  /** Counts a message to a channel. */
  sent(channelPk: number): void;
  /** The most channels that wait. */
  size(): number;
}

export function createPace(clock: Pick<Clock, "monotonic">): Pace {
  const { burst, every } = MESSAGE_PACE;
  /** The theoretical arrival time (TAT) of the next message, by channel, oldest message first. */
  const arrivalTimes = new Map<number, number>();

  function dropEnded(now: number): void {
    for (const [channelPk, arrivalTime] of arrivalTimes) {
      if (arrivalTime > now) return;
      arrivalTimes.delete(channelPk);
    }
  }

  return {
    waitOf({ channelPk }) {
      const arrivalTime = arrivalTimes.get(channelPk);
      if (arrivalTime === undefined) return 0;
      return Math.max(0, arrivalTime - (burst - 1) * every - clock.monotonic());
    },
    sent(channelPk) {
      const now = clock.monotonic();
      const arrivalTime = Math.max(arrivalTimes.get(channelPk) ?? now, now) + every;
      arrivalTimes.delete(channelPk);
      dropEnded(now);
      arrivalTimes.set(channelPk, arrivalTime);
    },
    size: () => arrivalTimes.size,
  };
}
