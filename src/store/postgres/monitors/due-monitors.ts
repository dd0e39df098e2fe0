import { SHORTEST_INTERVAL } from "../../../domain/checks/check-slot.ts";
import type { Claimant, EngineQueries } from "../../engine-queries.ts";
import type { DueMonitor, Slot } from "../../monitors/related-monitors.ts";
import type { Sql } from "../../tx.ts";
import type { Connections } from "../connections.ts";
import { CLAIMED_BY_OTHERS, CLAIMED_HERE, deleteOldClaims, findFirstClaim } from "./check-claims.ts";

/**
 * How long before its time a slot of another node's part is listed, in milliseconds. The other node lists it earlier, so
 * the nodes share the work evenly and rarely claim the same slot.
 */
const OTHERS_AHEAD = 250;

const LIST_DUE = `SELECT monitor_pk AS pk, next_check_at AS "nextCheckAt" FROM monitor_states
  WHERE next_check_at >= $7 AND next_check_at < $8
    AND (monitor_pk % $5 = $4 OR next_check_at < $6 OR (monitor_pk, next_check_at) IN (${CLAIMED_HERE}))
    AND (monitor_pk, next_check_at) NOT IN (${CLAIMED_BY_OTHERS})
    AND (next_check_at, monitor_pk) > ($9, $10)
  ORDER BY next_check_at, monitor_pk LIMIT $11`;

const EVERYTHING = { after: { nextCheckAt: -1, pk: 0 }, limit: null };

/**
 * Slots that this node has claimed are listed too, also after the nodes share the work in another way: the scheduler cancels a running
 * check whose slot is not listed (behavior 1.57).
 *
 * @returns those from `from` on, which is in milliseconds since 1970
 */
function listDueSlots(
  { query }: Sql,
  { node, place, nodes }: Claimant,
  {
    now,
    before,
    from,
    firstClaim,
    page: { after, limit } = EVERYTHING,
  }: {
    now: number;
    before: number;
    from: number;
    firstClaim: number;
    page?: { after: Slot; limit: number | null };
  },
): Promise<Slot[]> {
  const values = [now, firstClaim, node, place, nodes, now + OTHERS_AHEAD, from, before];
  return query<Slot>(LIST_DUE, [...values, after.nextCheckAt, after.pk, limit]);
}

/**
 * The config of a monitor for the operator `->>`, which refuses JSON that contains the character NUL anywhere. Only the
 * numbers of a config are read this way: in texts, this replaces what looks like that character.
 */
const CONFIG = `replace(config::text, 'u0000', 'u0001')::json`;

/* The subquery finds each monitor by its number: for a join, PostgreSQL may read the whole table. */
const COUNT_OVERDUE = `SELECT count(*) AS count FROM monitor_states
  WHERE next_check_at >= $2 AND next_check_at < $3
    AND next_check_at + 1000 * (SELECT (${CONFIG} ->> 'interval')::float8 FROM monitors WHERE pk = monitor_pk) < $1`;

/** @param from no slot is earlier: see `createDueSearch` */
async function countOverdue({ query }: Sql, { now, from }: { now: number; from: number }): Promise<number> {
  const [row] = await query<{ count: number }>(COUNT_OVERDUE, [now, from, now - SHORTEST_INTERVAL]);
  return row?.count ?? 0;
}

/* PostgreSQL can't read the interval: it refuses to read JSON that contains the character NUL. */
const LIST_LATER = `SELECT monitor_pk AS pk, next_check_at AS "nextCheckAt", config
  FROM monitor_states JOIN monitors ON monitors.pk = monitor_pk WHERE next_check_at > $1`;

const RECALL = `UPDATE monitor_states SET next_check_at = $3 WHERE monitor_pk IN (
    SELECT monitor_pk FROM unnest($1::integer[], $2::bigint[]) AS wanted (pk, slot)
    JOIN monitor_states ON monitor_pk = wanted.pk AND next_check_at = wanted.slot
    ORDER BY monitor_pk FOR UPDATE OF monitor_states)
  RETURNING monitor_pk`;

/** Milliseconds in which other nodes may have recorded since this node read the time. */
const RECORDED_MEANWHILE = 10_000;

export async function recallChecks({ query }: Sql, now: number): Promise<number> {
  const later = await query<Pick<DueMonitor, "pk" | "nextCheckAt" | "config">>(LIST_LATER, [now]);
  const latest = now + RECORDED_MEANWHILE;
  const wrong = later.filter(({ nextCheckAt, config }) => nextCheckAt > latest + config.interval * 1000);
  if (wrong.length === 0) return 0;
  const [pks, times] = [wrong.map(({ pk }) => pk), wrong.map(({ nextCheckAt }) => nextCheckAt)];
  return (await query(RECALL, [pks, times, now])).length;
}

/*
 * While a snapshot stays open, PostgreSQL keeps the index entries of all slots that were due since then, and a search from the
 * start of the index would read them again and again. So a search begins at the oldest slot that a search from the start found. The
 * same is true of claims.
 */

/** How often the search begins at the start of the index, in milliseconds. */
const EVERY = 60_000;

/** Milliseconds. An edit may take a minute to commit the time at which it began as the slot of a monitor. */
const MARGIN = 60_000;

const OLDEST = "SELECT min(next_check_at) AS oldest FROM monitor_states WHERE next_check_at IS NOT NULL";

/** @property reset lets the next search begin at the start, for example because slots were moved back */
interface DueSearch extends Pick<EngineQueries["checks"], "listDueSlots"> {
  /** See `OverdueQueries`. */
  countOverdue(now: number): Promise<number>;
  /** The number of a claim before which there is none. */
  firstClaim(): number;
  reset(): void;
}

/** @param onFullSearch is called about once a minute, with the time */
export function createDueSearch(
  { poll }: Pick<Connections, "poll">,
  onFullSearch: (sql: Sql, now: number) => void,
): DueSearch {
  const sql = { query: poll };
  let from = 0;
  let firstClaim = 0;
  let searchedAt = Number.NEGATIVE_INFINITY;

  async function findOldest(now: number): Promise<void> {
    const [row] = await poll<{ oldest: number | null }>(OLDEST);
    from = Math.min(row?.oldest ?? now, now) - MARGIN;
    firstClaim = await findFirstClaim(sql);
  }

  return {
    async listDueSlots(by, when) {
      if (when.now - searchedAt >= EVERY || when.now < searchedAt) {
        searchedAt = when.now;
        onFullSearch(sql, when.now);
        // If it takes too long, the search begins where it began before.
        await findOldest(when.now).catch(() => {});
        await deleteOldClaims(sql, when.now).catch(() => {});
      }
      return listDueSlots(sql, by, { ...when, from, firstClaim });
    },
    firstClaim: () => firstClaim,
    countOverdue: (now) => countOverdue(sql, { now, from }),
    reset() {
      searchedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
