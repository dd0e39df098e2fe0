import type { EngineQueries } from "../../engine-queries.ts";
import type { Sql } from "../../tx.ts";
import type { Connections } from "../connections.ts";
import { deleteOldClaims, findFirstClaim } from "./check-claims.ts";
import { countOverdue, listDueSlots } from "./due-monitors.ts";

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
