import { DrizzleQueryError } from "drizzle-orm";
import { AppError, StorageFault } from "../../errors.ts";

/*
 * The errors of the database, by SQLSTATE.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */

/** Transactions got in each other's way: the same work succeeds when it is repeated. */
const CONFLICTS = new Set(["40001", "40P01"]);

/**
 * The database can't work now: connection lost, shut down or starting, read-only after a failover, out of connections,
 * disk or memory, a timeout, an error of the disk. A standby says that it does not support (0A000) serializable transactions.
 */
const FAULTS = /^(08|53|57P|58|XX)|^(0A000|57014|55P03|25006|25P03|25P04|40003)$/;

/** Errors of the connection, from Bun and `pg`. */
const CONNECTION_FAULTS =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_|ERR_SOCKET|ENOENT|EACCES)/;

/** A wrong password, an unknown role, database or schema, a missing right: it does not pass by itself. */
const REFUSALS = /^(28|3D000|3F000|42501)/;

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

/** Whether another transaction held a lock for longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error instanceof StorageFault ? error.cause : error) === "55P03";
}

/** Whether another try is of no use. */
export function isRefusal(error: unknown): boolean {
  return REFUSALS.test(codeOf(error instanceof StorageFault ? error.cause : error));
}

/** A pooler's refusals, which have the code of a protocol error. */
const POOLER_REFUSALS = /authentication failed|no such (user|database)|not allowed/i;

/** Whether another try at connecting may help: the database is away, starting or overloaded. */
export function isPassing(error: unknown): boolean {
  if (POOLER_REFUSALS.test((error as Error).message ?? "")) return false;
  return isStorageFault(error) && !isRefusal(error);
}

/** @returns a `StorageFault` for an error of the database or the connection, so that other rooms need no SQLSTATE */
export function classified(thrown: unknown): unknown {
  // The message of drizzle contains the values of the query, which may be secret.
  const error = thrown instanceof DrizzleQueryError ? thrown.cause : thrown;
  if (error instanceof AppError || error instanceof StorageFault) return error;
  return isStorageFault(error) ? new StorageFault(error) : error;
}

function isStorageFault(error: unknown): boolean {
  const code = codeOf(error);
  if (FAULTS.test(code) || CONNECTION_FAULTS.test(code) || isConflict(error) || isRefusal(error)) return true;
  // `pg` has no code for these.
  return /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/.test(
    (error as Error).message ?? "",
  );
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? "");
}
