import type { Slot } from "../../../src/store/store.ts";

/** How far the scheduler looks ahead. */
const LOOK_AHEAD = 1500;

/** When a scan may start a due check: a wall time, infinite while it is running. */
export type MayStart = (slot: Slot) => number;

/** A part of the server that looks for work at each tick. */
export type Part = "scheduler" | "heartbeats" | "dispatcher" | "housekeeping" | "review" | "maintenances";

/** When each part of a server has work, read from its database. */
export interface DueTimes {
  /** The wall time from which on a tick finds work. */
  of(part: Part): number;
  /** A part may have other work, because the database has changed. */
  wrote(part: Part): void;
  /** A part may have other work, although the database has not changed. */
  changed(part: Part): void;
  /** To be called once. */
  ofChecks(mayStart: MayStart): void;
  /** The number of the newest result. */
  newestDelivery(): number;
  close(): void;
}

/** The times in the database. A time that is not known yet may be any time: undefined. */
export interface StoredTimes {
  slots(): Slot[] | undefined;
  /** Infinite without any. */
  deadline(): number | undefined;
  delivery(): number | undefined;
  decision(): number | undefined;
  newestDelivery(): number;
  /** A part has written. */
  forget(part: Part): void;
  close(): void;
}

export const SLOTS = `SELECT monitor_pk AS "pk", next_check_at AS "nextCheckAt" FROM monitor_states
  WHERE next_check_at IS NOT NULL`;

export const NEXT_DEADLINE = "SELECT min(deadline) AS at FROM monitor_states";

export const NEXT_DELIVERY = `
  WITH RECURSIVE head(channel_pk) AS (
    SELECT min(channel_pk) FROM deliveries WHERE status = 0
    UNION ALL
    SELECT (SELECT min(channel_pk) FROM deliveries WHERE status = 0 AND channel_pk > head.channel_pk)
    FROM head WHERE channel_pk IS NOT NULL
  )
  SELECT min(next_attempt_at) AS at FROM head
  JOIN deliveries ON pk = (SELECT min(pk) FROM deliveries WHERE status = 0 AND channel_pk = head.channel_pk)`;

/** When the next held notification or reminder is decided. */
export const NEXT_DECISION = `
  SELECT min(at) AS at FROM (
    SELECT min(review_at) AS at FROM deliveries WHERE review_at IS NOT NULL
    UNION ALL SELECT min(remind_at) FROM alert_bindings WHERE remind_at IS NOT NULL
  ) AS decisions`;

/** @param nextWindow when the next window begins or ends; if it is not known, the server looks at windows often enough */
export function createDueTimes(
  stored: StoredTimes,
  nextWindow: () => number = () => Number.POSITIVE_INFINITY,
): DueTimes {
  let mayStart: MayStart = () => Number.NEGATIVE_INFINITY;
  const nextCheck = (slot: Slot) => Math.max(slot.nextCheckAt - LOOK_AHEAD + 1, mayStart(slot));
  const readers: Record<Part, () => number | undefined> = {
    scheduler: () =>
      stored.slots()?.reduce((least, slot) => Math.min(least, nextCheck(slot)), Number.POSITIVE_INFINITY),
    heartbeats() {
      const deadline = stored.deadline();
      return deadline === undefined ? undefined : deadline + 1;
    },
    dispatcher: stored.delivery,
    review: stored.decision,
    housekeeping: () => Number.POSITIVE_INFINITY,
    maintenances: nextWindow,
  };
  const known = new Map<Part, number>();
  return {
    of(part) {
      const at = known.get(part) ?? readers[part]();
      if (at === undefined) return Number.NEGATIVE_INFINITY;
      // Windows pass without a write.
      if (part !== "maintenances") known.set(part, at);
      return at;
    },
    wrote(part) {
      known.delete(part);
      stored.forget(part);
    },
    changed: (part) => void known.delete(part),
    newestDelivery: stored.newestDelivery,
    ofChecks(given) {
      mayStart = given;
    },
    close: stored.close,
  };
}
