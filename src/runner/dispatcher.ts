import { Cron } from "croner";
import type { DeliverySettings } from "../alerts/delivery-settings.ts";
import type { Notification } from "../alerts/notification.ts";
import { deliver } from "../alerts/registry.ts";
import type { Database } from "../db/open.ts";
import { type DueDelivery, listDueDeliveries, recordAttempt } from "../db/outbox.ts";
import type { Attempt } from "../domain/delivery.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "./metrics.ts";

/** More attempts than this are not under way at once, each to a channel of its own. */
const MOST_IN_FLIGHT = 200;

/** An attempt that was made. @property startedAt milliseconds since 1970 */
interface Made {
  attempt: Attempt;
  startedAt: number;
}

/** Delivers what the outbox holds: to each channel one at a time and in order, to all channels at once. */
export interface Dispatcher {
  start(): void;
  /** Looks at once for what is due, as after a transition. */
  wake(): void;
  /** Takes no more, and lets the attempts under way end. @param patience milliseconds after which they are left */
  stop(patience: number): Promise<void>;
}

export function createDispatcher({
  db,
  log,
  settings,
  onAttempt = () => {},
}: {
  db: Database;
  log: Logger;
  settings: DeliverySettings;
  /** Told of each attempt that was made. */
  onAttempt?: Metrics["attempted"];
}): Dispatcher {
  /** The attempts under way, by channel. */
  const inFlight = new Map<string, Promise<void>>();
  /** The attempts that were made and could not be written yet, by delivery: nobody is to be told twice for that. */
  const unwritten = new Map<string, Made>();
  const onError = (error: unknown) => log.error({ err: error }, "due deliveries could not be read");
  const job = new Cron("* * * * * *", { paused: true, protect: true, catch: onError }, startDue);
  let stopped = false;

  async function startDue(): Promise<void> {
    if (inFlight.size >= MOST_IN_FLIGHT) return;
    // An attempt under way is still due in the database, hence the sum.
    const due = await listDueDeliveries(db, Date.now(), inFlight.size + MOST_IN_FLIGHT);
    for (const delivery of due) {
      if (stopped || inFlight.size >= MOST_IN_FLIGHT) return;
      const channel = delivery.channel.id;
      if (!inFlight.has(channel)) inFlight.set(channel, attempt(delivery));
    }
  }

  async function attempt({ channel, ...delivery }: DueDelivery): Promise<void> {
    const about = { delivery: delivery.id, channel: channel.id, attempt: delivery.attempts + 1 };
    const known = unwritten.get(delivery.id);
    try {
      const made = known ?? (await make(channel, delivery));
      unwritten.set(delivery.id, made);
      const goesOn = await recordAttempt(db, delivery, made, Date.now());
      unwritten.delete(delivery.id);
      const result = made.attempt;
      onAttempt({ organizationPk: delivery.organizationPk, type: channel.type }, result, goesOn);
      if (result.outcome === "delivered") log.info(about, "delivered");
      else log.warn({ ...about, error: result.error }, "a delivery failed");
    } catch (error) {
      if (!known) log.error({ err: error, ...about }, "the outcome of a delivery can't be written yet");
      return;
    } finally {
      inFlight.delete(channel.id);
    }
    // The next one for this channel may be due already.
    wake();
  }

  async function make(
    channel: DueDelivery["channel"],
    delivery: Omit<DueDelivery, "channel">,
  ): Promise<Made> {
    const startedAt = Date.now();
    return { attempt: await tryToDeliver(channel, { ...delivery, now: startedAt }), startedAt };
  }

  /** A fault of ours is an attempt that failed, too: it must not hold up its channel for ever. */
  async function tryToDeliver(channel: DueDelivery["channel"], notification: Notification): Promise<Attempt> {
    try {
      return await deliver(channel, notification, settings);
    } catch (error) {
      log.error(
        { err: error, delivery: notification.id, channel: channel.id },
        "a delivery could not be made",
      );
      return { outcome: "failed", error: "an internal error of this server", final: false };
    }
  }

  function wake(): void {
    if (!stopped) startDue().catch(onError);
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
      await Promise.race([Promise.all(inFlight.values()), Bun.sleep(patience)]);
    },
  };
}
