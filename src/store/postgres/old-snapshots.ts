import type { Logger } from "../../log.ts";
import type { Sql } from "../tx.ts";

/** The session or transaction that keeps PostgreSQL from removing outdated rows. */
interface OldSnapshot {
  holder: string;
  /** How it is ended. */
  remedy: string;
}

/** How old a transaction is when it is named, in seconds, and in transactions for what has no time. */
const OLD_SECONDS = 600;
const OLD_TRANSACTIONS = 1_000_000;

/** Milliseconds between two warnings. */
const WARN_EVERY = 3_600_000;

/** A role sees its own sessions, and with `pg_monitor` also others. */
const FIND_OLDEST = `SELECT holder, remedy FROM (
    SELECT format('the session %s (%s)', pid, application_name) AS holder,
      format('SELECT pg_terminate_backend(%s)', pid) AS remedy, age(backend_xmin) AS age
    FROM pg_stat_activity
    WHERE backend_xmin IS NOT NULL AND datname = current_database() AND pid <> pg_backend_pid()
      AND xact_start <= clock_timestamp() - make_interval(secs => $1)
    UNION ALL
    SELECT format('the prepared transaction %s', gid), format('ROLLBACK PREPARED %L', gid), age(transaction)
    FROM pg_prepared_xacts
    WHERE database = current_database() AND prepared <= clock_timestamp() - make_interval(secs => $1)
    UNION ALL
    SELECT format('the replication slot %s', slot_name), format('SELECT pg_drop_replication_slot(%L)', slot_name), age(xmin)
    FROM pg_replication_slots WHERE age(xmin) > $2
  ) AS holders ORDER BY age DESC LIMIT 1`;

/** Warns about the oldest snapshot that stays open (behavior 12.74), once an hour. */
export function createSnapshotWarning(
  log: Pick<Logger, "warn">,
  oldSeconds = OLD_SECONDS,
): (sql: Sql, now: number) => Promise<void> {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return async ({ query }, now) => {
    if (Math.abs(now - warnedAt) < WARN_EVERY) return;
    const [found] = await query<OldSnapshot>(FIND_OLDEST, [oldSeconds, OLD_TRANSACTIONS]);
    if (!found) return;
    warnedAt = now;
    log.warn(
      `${found.holder} keeps an old snapshot open: until it ends, PostgreSQL removes no outdated rows and gets slower; ` +
        `if nobody needs it, end it with: ${found.remedy}`,
    );
  };
}
