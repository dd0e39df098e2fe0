import { Database } from "bun:sqlite";
import { join } from "node:path";
import { DATABASE } from "../../../src/store/sqlite/data-dir.ts";
import type { Slot } from "../../../src/store/store.ts";

/** How far the scheduler looks ahead. */
const LOOK_AHEAD = 1500;

/** When a scan may start a due check: a wall time, infinite while it is running. */
export type MayStart = (slot: Slot) => number;

/** A part of the server that looks for work at each tick. */
export type Part = "scheduler" | "heartbeats" | "dispatcher" | "housekeeping";

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
  newestResult(): number;
  close(): void;
}

const NEXT_DELIVERY = `
  WITH RECURSIVE head(channel_pk) AS (
    SELECT min(channel_pk) FROM deliveries WHERE status = 0
    UNION ALL
    SELECT (SELECT min(channel_pk) FROM deliveries WHERE status = 0 AND channel_pk > head.channel_pk)
    FROM head WHERE channel_pk IS NOT NULL
  )
  SELECT min(next_attempt_at) AS at FROM head
  JOIN deliveries ON pk = (SELECT min(pk) FROM deliveries WHERE status = 0 AND channel_pk = head.channel_pk)`;

export function readDueTimes(dataDir: string): DueTimes {
  const db = new Database(join(dataDir, DATABASE));
  const reader = (sql: string) => {
    const query = db.query<{ at: number | null }, []>(sql);
    return () => query.get()?.at ?? Number.POSITIVE_INFINITY;
  };
  const slots = db.query<Slot, []>(
    "SELECT monitor_pk AS pk, next_check_at AS nextCheckAt FROM monitor_states WHERE next_check_at IS NOT NULL",
  );
  let knownSlots: Slot[] | undefined;
  let mayStart: MayStart = () => Number.NEGATIVE_INFINITY;
  const nextCheck = (slot: Slot) => Math.max(slot.nextCheckAt - LOOK_AHEAD + 1, mayStart(slot));
  const nextDeadline = reader("SELECT min(deadline) AS at FROM monitor_states");
  const newest = reader("SELECT coalesce(max(pk), 0) AS at FROM check_results");
  const readers: Record<Part, () => number> = {
    scheduler() {
      knownSlots ??= slots.all();
      return knownSlots.reduce((least, slot) => Math.min(least, nextCheck(slot)), Number.POSITIVE_INFINITY);
    },
    heartbeats: () => nextDeadline() + 1,
    dispatcher: reader(NEXT_DELIVERY),
    housekeeping: () => Number.POSITIVE_INFINITY,
  };
  const known = new Map<Part, number>();
  return {
    of(part) {
      const at = known.get(part) ?? readers[part]();
      known.set(part, at);
      return at;
    },
    wrote(part) {
      known.delete(part);
      if (part === "scheduler") knownSlots = undefined;
    },
    changed: (part) => void known.delete(part),
    newestResult: newest,
    ofChecks(given) {
      mayStart = given;
    },
    close: () => db.close(),
  };
}
