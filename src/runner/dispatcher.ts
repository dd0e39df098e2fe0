import { Cron } from "croner";
import { deliver } from "../alerts/registry.ts";
import { type DueDelivery, listDueDeliveries, recordAttempt } from "../db/deliveries.ts";
import type { Database } from "../db/open.ts";
import type { Logger } from "../log.ts";
import type { Network } from "../probes/network.ts";

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
  network,
}: {
  db: Database;
  log: Logger;
  network: Network;
}): Dispatcher {
  /** The attempts under way, by channel. */
  const inFlight = new Map<string, Promise<void>>();
  const onError = (error: unknown) => log.error({ err: error }, "due deliveries could not be read");
  const job = new Cron("* * * * * *", { paused: true, protect: true, catch: onError }, startDue);
  let stopped = false;

  async function startDue(): Promise<void> {
    const due = await listDueDeliveries(db, Date.now());
    for (const delivery of due) {
      const channel = delivery.channel.id;
      if (!stopped && !inFlight.has(channel)) inFlight.set(channel, attempt(delivery));
    }
  }

  async function attempt({ channel, ...delivery }: DueDelivery): Promise<void> {
    const about = { delivery: delivery.id, channel: channel.id, attempt: delivery.attempts + 1 };
    try {
      const result = await deliver(channel, { ...delivery, now: Date.now() }, network);
      await recordAttempt(db, delivery, result, Date.now());
      if (result.outcome === "delivered") log.info(about, "delivered");
      else log.warn({ ...about, error: result.error }, "a delivery failed");
    } catch (error) {
      log.error(
        { err: error, ...about },
        "the outcome of a delivery could not be written: it will be sent again",
      );
      return;
    } finally {
      inFlight.delete(channel.id);
    }
    // The next one for this channel may be due already.
    wake();
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
