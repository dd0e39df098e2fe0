import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";
import { AppError, StorageFault } from "../../errors.ts";
import { COPIED_TABLES } from "../copy.ts";
import type { StoreSettings } from "../engine.ts";
import { connectionOf } from "./connection-config.ts";
import type { DatabaseConfig } from "./connections.ts";
import { findVersion } from "./migrate.ts";

/** Milliseconds for which an unreachable database is tried, between two tries, and for one. */
export const PATIENCE = 30_000;
export const RETRY_AFTER = 500;
const CONNECT_TIMEOUT = 5000;

/** The oldest supported version of PostgreSQL. */
const OLDEST = 14;

/** @property config the way to connect that succeeded @property exists whether it has tables of stillup */
export interface Reached {
  config: DatabaseConfig;
  name: string;
  exists: boolean;
}

/**
 * Connects once, and tries again while the database can't be reached (behavior 12.3).
 *
 * @param options.forOwner whether it must be writable, and the role must have the rights to create tables (behavior 12.76, 12.77)
 * @param options.patience for how long it is tried, in milliseconds
 * @throws AppError `refused` that says why, at once if another try would not help
 */
export async function reach(
  settings: StoreSettings,
  { patience = PATIENCE, forOwner = false }: { patience?: number; forOwner?: boolean } = {},
): Promise<Reached> {
  const { name, configs } = connectionOf(settings);
  const until = performance.now() + patience;
  for (;;) {
    try {
      return { name, ...(await connectAny(configs, { name, until, forOwner })) };
    } catch (error) {
      if (error instanceof AppError) throw error;
      const isWorthAnother = error instanceof ReadOnly || isPassing(error);
      if (!isWorthAnother || performance.now() >= until) throw refusal(name, error as Error);
    }
    await Bun.sleep(RETRY_AFTER);
  }
}

/** After a failover, the address of the database may lead to a standby for a while. */
class ReadOnly extends Error {}

/** @throws ReadOnly */
function assertWritable({ isStandby, isReadOnly }: Server): void {
  if (isStandby) throw new ReadOnly("it is a standby, which can't be written");
  if (isReadOnly) throw new ReadOnly("it is read-only (default_transaction_read_only)");
}

/**
 * stillup creates a table for the results of each day, so its role must own the tables.
 *
 * @throws AppError `refused` that names the role, the schema and the right
 */
function assertRights(name: string, { role, schema, searchPath, mayCreate, ownerOnly }: Server): void {
  const refuse = (why: string) => refusal(name, new Error(why));
  if (schema === null)
    throw refuse(
      `the role ${quoted(role)} may use no schema of its search_path (${searchPath}): create one, or grant it USAGE`,
    );
  if (!mayCreate)
    throw refuse(
      `the role ${quoted(role)} lacks the right CREATE on the schema ${quoted(schema)}: GRANT CREATE ON SCHEMA ${quoted(schema)} TO ${quoted(role)}`,
    );
  if (ownerOnly !== null)
    throw refuse(
      `the role ${quoted(role)} must own the table ${quoted(ownerOnly)} in the schema ${quoted(schema)}, as the role that created it`,
    );
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** @property until the end of the tries, in milliseconds of the monotonic clock @property forOwner see `reach` */
interface Target {
  name: string;
  until: number;
  forOwner: boolean;
}

/**
 * Tries each way to connect.
 *
 * @throws the error of the first way, which is preferred; if that is only a lack of TLS, the error of the other way
 */
async function connectAny(configs: pg.ClientConfig[], target: Target) {
  let first: unknown;
  for (const config of configs) {
    try {
      const { exists, ownTimeouts } = await inspect(config, target);
      return { config: { ...config, ownTimeouts }, exists };
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (first === undefined || LACKS_TLS.test((first as Error).message)) first = error;
    }
  }
  throw first;
}

/** The error of `pg` if TLS is wanted and the server has none. */
const LACKS_TLS = /does not support SSL/;

async function inspect(
  config: pg.ClientConfig,
  { name, until, forOwner }: Target,
): Promise<{ exists: boolean; ownTimeouts: string[] }> {
  const left = Math.max(until - performance.now(), 1000);
  const timeout = Math.min(left, CONNECT_TIMEOUT);
  const client = new pg.Client({ ...config, connectionTimeoutMillis: timeout, query_timeout: timeout });
  // Without a listener, an error of the connection would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query(FIND_SERVER, [[...COPIED_TABLES, "schema_versions"], TIMEOUTS]);
    const server: Server = rows[0];
    assertSupported(name, server);
    if (forOwner) {
      assertWritable(server);
      assertRights(name, server);
    }
    const { version } = await findVersion({
      query: async (text, values = []) => (await client.query(text, [...values])).rows,
    });
    return { exists: version > 0, ownTimeouts: server.timeouts };
  } finally {
    // Not awaited, because a silent server would not answer.
    client.end().catch(() => {});
  }
}

/**
 * @property version such as 150004 for 15.4
 * @property schema the one in which tables are created; null if the role may use none of its search path
 * @property ownerOnly a table of stillup that the role does not own
 * @property timeouts which of `TIMEOUTS` the role or the database has set
 */
interface Server {
  version: number;
  encoding: string;
  isStandby: boolean;
  isReadOnly: boolean;
  role: string;
  schema: string | null;
  searchPath: string;
  mayCreate: boolean;
  ownerOnly: string | null;
  timeouts: string[];
}

/** Settings that end the work of a session. An older version does not have all. */
const TIMEOUTS = ["statement_timeout", "lock_timeout", "transaction_timeout"];

const FIND_SERVER = `SELECT current_setting('server_version_num')::integer AS version,
  current_setting('server_encoding') AS encoding,
  pg_is_in_recovery() AS "isStandby",
  current_setting('transaction_read_only') = 'on' AS "isReadOnly",
  current_user AS role,
  current_schema() AS schema,
  current_setting('search_path') AS "searchPath",
  coalesce(has_schema_privilege(current_schema(), 'CREATE'), FALSE) AS "mayCreate",
  (SELECT min(relname) FROM unnest($1::text[]) AS name JOIN pg_class ON pg_class.oid = to_regclass(name)
    WHERE NOT pg_has_role(relowner, 'USAGE')) AS "ownerOnly",
  ARRAY(SELECT name FROM unnest($2::text[]) AS name
    WHERE coalesce(current_setting(name, TRUE), '0') NOT IN ('0', '')) AS timeouts`;

/** Others than these refuse most characters, so that a result whose text has one could not be recorded. */
const ENCODINGS = ["UTF8", "SQL_ASCII"];

function assertSupported(name: string, { version, encoding }: Pick<Server, "version" | "encoding">): void {
  const major = Math.floor(version / 10_000);
  if (major < OLDEST)
    throw new AppError("refused", `${name} is PostgreSQL ${major}: it must be ${OLDEST} or newer`);
  if (!ENCODINGS.includes(encoding))
    throw new AppError("refused", `${name} has the encoding ${encoding}: create it with the encoding UTF8`);
}

/** The messages of PostgreSQL contain no password. @param name of the database */
export function refusal(name: string, { message }: Error): AppError {
  // The error of `pg` if it needs a password and has none.
  const why = /password must be a string/.test(message) ? "a password is required" : message;
  return new AppError("refused", `${name} can't be used: ${why.replaceAll("\n", " ")}`);
}

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
function isPassing(error: unknown): boolean {
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
