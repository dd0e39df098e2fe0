import { Cron } from "croner";
import type { DeliverySettings } from "../../alerts/delivery-settings.ts";
import { deliver } from "../../alerts/registry.ts";
import type { DeliveryAttempt } from "../../domain/alerts/delivery.ts";
import type { Logger } from "../../log.ts";
import { descriptorLimit } from "../../probes/descriptor-limit.ts";
import { type MadeAttempt, recordAttempts } from "../../store/sqlite/deliveries/attempts.ts";
import {
  type Due,
  findPending,
  isSynced,
  listDue,
  type PendingDelivery,
  syncResults,
} from "../../store/sqlite/deliveries/due-deliveries.ts";
import { type Database, isStorageFault } from "../../store/sqlite/open.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { debounce } from "./debounce.ts";
import { createFairShare } from "./fair-share.ts";

/** Attempts under way at once, each to a channel of its own; half of them for a single organization. */
const MOST_IN_FLIGHT = 400;

/** The share of the descriptors that they may have: the checks have most of the others (`lanes.ts`). */
const SHARE_OF_DESCRIPTORS = 0.1;

/**
 * Delay that batches ended attempts into one look, in milliseconds and in multiples of what the last list of due
 * deliveries took: with many thousands of dead channels the list is long.
 */
const PAUSE = 10;
const PAUSE_PER_LIST = 1;

/** Milliseconds for which attempts are started without a break. */
const SLICE = 4;

type Made = MadeAttempt & { delivery: PendingDelivery };

/** Delivers what the outbox holds: to each channel one at a time and in order, to all channels at once. */
export interface Dispatcher {
  start(): void;
  /** Looks for what is due without waiting for the next second, as after a transition. */
  wake(): void;
  /** Takes no more, and lets the attempts under way end. @param patience milliseconds after which they are left */
  stop(patience: number): Promise<void>;
}

export function createDispatcher({
  db,
  log,
  settings,
  onAttempt = () => {},
  most = mostAttempts(),
}: {
  db: Database;
  log: Logger;
  settings: DeliverySettings;
  /** Told of each attempt that was made. */
  onAttempt?: Metrics["attempted"];
  /** How many attempts may be under way at once. */
  most?: number;
}): Dispatcher {
  const places = createFairShare(most);
  const underWay = new Set<Promise<void>>();
  /** The channels with an attempt that is under way or not recorded yet. */
  const busy = new Set<number>();
  /** Attempts to be recorded with the next look. */
  let made: Made[] = [];
  /** Attempts that could not be recorded. They are not made again, but recorded when the disk allows. */
  let unrecorded: Made[] = [];
  let takesRecords = true;
  let sync: "idle" | "running" | "failed" = "idle";
  let stopped = false;
  let listTook = 0;
  const looks = debounce(look, () => Math.max(PAUSE, PAUSE_PER_LIST * listTook));
  const job = new Cron("* * * * * *", { paused: true }, wake);

  function wake(): void {
    made.unshift(...unrecorded);
    unrecorded = [];
    looks.request();
  }

  async function look(): Promise<void> {
    try {
      recordMade();
      await startDue();
    } catch (error) {
      if (!stopped) log.error({ err: error }, "due deliveries could not be read");
    }
  }

  function list(): Due[] {
    const startedAt = performance.now();
    // An attempt under way is still due in the database, hence the sum.
    const due = listDue(db, Date.now(), busy.size + most);
    listTook = performance.now() - startedAt;
    return due;
  }

  async function startDue(): Promise<void> {
    const due = stopped ? [] : list();
    let sliceEnd = performance.now() + SLICE;
    for (const { pk, channelPk, organizationPk, resultPk } of due) {
      if (busy.has(channelPk)) continue;
      if (!isSynced(db, resultPk)) {
        void syncAll();
        continue;
      }
      if (!places.take(organizationPk)) continue;
      const delivery = findPending(db, pk);
      if (delivery) start(delivery);
      else places.leave(organizationPk);
      if (performance.now() < sliceEnd) continue;
      await Bun.sleep(0);
      if (stopped) return;
      sliceEnd = performance.now() + SLICE;
    }
  }

  /** The recorder does this too; what its sync left out, or a former process, is found here. */
  async function syncAll(): Promise<void> {
    if (sync === "running") return;
    const before = sync;
    sync = "running";
    try {
      await syncResults(db);
      sync = "idle";
      looks.request();
    } catch (error) {
      sync = "failed";
      if (before === "idle")
        log.error({ err: error }, "notifications wait until their results are on the disk");
    }
  }

  function start(delivery: PendingDelivery): void {
    busy.add(delivery.channel.pk);
    const attempt = make(delivery);
    underWay.add(attempt);
    void attempt.then(() => {
      underWay.delete(attempt);
      places.leave(delivery.organizationPk);
      looks.request();
    });
  }

  async function make(delivery: PendingDelivery): Promise<void> {
    const startedAt = Date.now();
    const attempt = await tryToDeliver(delivery, startedAt);
    made.push({ delivery, attempt, startedAt, endedAt: Date.now() });
  }

  /** A fault of ours is an attempt that failed, too: it must not hold up its channel for ever. */
  async function tryToDeliver(
    { id, transition, channel }: PendingDelivery,
    now: number,
  ): Promise<DeliveryAttempt> {
    try {
      return await deliver(channel, { id, transition, now }, settings);
    } catch (error) {
      log.error({ err: error, delivery: id, channel: channel.id }, "a delivery could not be made");
      return { outcome: "failed", error: "an internal error of this server", final: false };
    }
  }

  function recordMade(): void {
    const group = made;
    made = [];
    if (group.length > 0) recordGroup(group);
  }

  function recordGroup(group: Made[]): void {
    let goesOn: boolean[];
    try {
      goesOn = recordAttempts(db, group);
    } catch (error) {
      // One that can't be written must not take its company with it.
      if (group.length > 1 && !isStorageFault(error)) for (const one of group) recordGroup([one]);
      else keep(group, error);
      return;
    }
    takesRecords = true;
    for (const [at, one] of group.entries()) tell(one, goesOn[at] ?? false);
  }

  function keep(group: Made[], error: unknown): void {
    if (takesRecords) log.error({ err: error }, "outcomes of deliveries can't be written yet");
    takesRecords = false;
    unrecorded.push(...group);
  }

  function tell({ delivery, attempt }: Made, goesOn: boolean): void {
    const { id, attempts, organizationPk, channel } = delivery;
    busy.delete(channel.pk);
    onAttempt({ organizationPk, type: channel.type }, attempt, goesOn);
    const about = { delivery: id, channel: channel.id, attempt: attempts + 1 };
    if (attempt.outcome === "delivered") log.info(about, "delivered");
    else log.warn({ ...about, error: attempt.error }, "a delivery failed");
  }

  return {
    start() {
      job.resume();
      wake();
    },
    wake,
    async stop(patience) {
      stopped = true;
      job.stop();
      looks.stop();
      await Promise.race([Promise.all(underWay), Bun.sleep(patience)]);
      recordMade();
    },
  };
}

/** How many attempts, at least one, may be under way at once with this number of file descriptors. */
export function mostAttempts(descriptors = descriptorLimit()): number {
  return Math.min(MOST_IN_FLIGHT, Math.max(1, Math.floor(descriptors * SHARE_OF_DESCRIPTORS)));
}
