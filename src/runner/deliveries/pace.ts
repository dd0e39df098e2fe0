import type { Clock } from "../../clock.ts";
import { MESSAGE_PACE, takesDigests } from "../../domain/alerts/digest.ts";
import type { Due, PendingDelivery } from "../../store/store.ts";

/** How fast this node sends messages to the channels that people read (behavior 14.67): the GCRA with `MESSAGE_PACE`. */
export interface Pace {
  /** Milliseconds until a channel may get its next message; 0 if it may now. */
  waitOf(channel: Pick<Due, "channelPk">): number;
  /** Counts a message. */
  sent(channel: Pick<PendingDelivery["channel"], "pk" | "type" | "config">): void;
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
    sent({ pk: channelPk, type, config }) {
      if (!takesDigests({ type, config })) return;
      const now = clock.monotonic();
      const arrivalTime = Math.max(arrivalTimes.get(channelPk) ?? now, now) + every;
      arrivalTimes.delete(channelPk);
      dropEnded(now);
      arrivalTimes.set(channelPk, arrivalTime);
    },
    size: () => arrivalTimes.size,
  };
}
