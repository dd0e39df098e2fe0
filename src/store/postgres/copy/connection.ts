import pg from "pg";
import { AppError, StorageFault } from "../../../errors.ts";
import { type CopiedRow, type CopiedTable, SILENCE } from "../../copy.ts";
import type { Sql } from "../../tx.ts";
import { copyOf } from "../copy-in.ts";
import { MIGRATION_LOCK } from "../migrate.ts";
import { classified } from "../reach.ts";
import { sendTogether } from "../statements.ts";
import { unescapeJson, unescapeText } from "../values.ts";

/** @property config the way to connect that succeeded @property name for messages, such as `the database "a" at b:5432` */
export interface ReachedDatabase {
  config: pg.ClientConfig;
  name: string;
}

/** One connection with one long transaction, for a copy. */
export interface CopyConnection extends Sql {
  /** Like `query`, but with the values of a row in the order of the columns, as SQLite stores them. */
  queryRows(text: string): Promise<CopiedRow[]>;
  /** Adds rows with `COPY`. */
  copyIn(text: string, rows: CopiedRow[]): Promise<void>;
  /** Closes the connection, which ends the transaction. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT = 10_000;

/** A copy takes minutes, and a database waits while the other one works. */
const NO_LIMITS =
  "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 0";

const { BOOL, BYTEA, INT2, INT4, INT8, JSON: JSON_TEXT, NUMERIC } = pg.types.builtins;
const NUMBERS = new Set<number>([INT2, INT4, INT8, NUMERIC]);

/** Booleans are 0 and 1; JSON is text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number) => {
    if (NUMBERS.has(id)) return Number;
    if (id === BOOL) return (text: string) => (text === "t" ? 1 : 0);
    if (id === BYTEA) return pg.types.getTypeParser(BYTEA);
    return id === JSON_TEXT ? unescapeJson : unescapeText;
  },
};

/**
 * @param begin such as `BEGIN`
 * @throws StorageFault if the database can't be reached or refuses the role
 */
export async function connectForCopy(config: pg.ClientConfig, begin: string): Promise<CopyConnection> {
  const client = new pg.Client({
    ...config,
    types,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    // Without it, a server that vanished would be noticed after two hours.
    keepAliveInitialDelayMillis: 5000,
  });
  // The statement under way rejects too. Without a listener, the error would end the process.
  client.on("error", () => {});
  const connection = connectionOf(client);
  try {
    await client.connect();
    await client.query(`${begin}; ${NO_LIMITS}`);
    return connection;
  } catch (error) {
    await connection.close();
    throw fault(error);
  }
}

function connectionOf(client: pg.Client): CopyConnection {
  return {
    query: <R>(text: string, values: readonly unknown[] = []) =>
      faulting<R[]>(async () => (await client.query(text, values as unknown[])).rows),
    queryRows: (text) =>
      faulting(async () => (await client.query<CopiedRow>({ text, rowMode: "array" })).rows),
    copyIn: (text, rows) =>
      faulting(async () => {
        await Promise.all(sendTogether(client, [copyOf(text, rows)]));
      }),
    async close() {
      await client.end().catch(() => {});
    },
  };
}

async function faulting<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw fault(error);
  }
}

/** Here every error is one of the database, because no user has sent the values. */
function fault(error: unknown): unknown {
  const known = classified(error);
  return known instanceof AppError || known instanceof StorageFault ? known : new StorageFault(error);
}

/**
 * Keeps servers from starting until the transaction ends, because they migrate the database first.
 *
 * @param mode several copies may share a source
 * @throws AppError `refused` if a server is starting, or another copy uses the database
 */
export async function lockForCopy(sql: Sql, name: string, mode: "shared" | "exclusive"): Promise<void> {
  const lock = mode === "shared" ? "pg_try_advisory_xact_lock_shared" : "pg_try_advisory_xact_lock";
  const [row] = await sql.query<{ locked: number }>(`SELECT ${lock}($1) AS locked`, [MIGRATION_LOCK]);
  if (row?.locked !== 1)
    throw new AppError("refused", `a stillup server or another copy uses ${name}: end it first`);
}

/** @throws AppError `refused` if a node was seen within 30 s (behavior 12.52) */
export async function assertNoNode(sql: Sql, name: string): Promise<void> {
  const [node] = await sql.query<{ name: string; ago: number }>(
    `SELECT name, ago FROM (SELECT name, extract(epoch FROM clock_timestamp()) * 1000 - seen_at AS ago FROM nodes) AS seen
     WHERE ago < $1 ORDER BY ago LIMIT 1`,
    [SILENCE],
  );
  if (!node) return;
  const seconds = Math.max(0, Math.round(node.ago / 1000));
  throw new AppError(
    "refused",
    `a stillup server runs on ${name}: ${node.name} gave a sign of life ${seconds} s ago; stop it, or wait until it was silent for ${SILENCE / 1000} s`,
  );
}

/** The columns of a table in their order. */
export async function listColumns(sql: Sql, table: CopiedTable): Promise<string[]> {
  const columns = await sql.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  return columns.map(({ name }) => name);
}

/** @param rows a table, or one with a `WHERE` */
export async function countRows(sql: Sql, rows: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(`SELECT count(*) AS count FROM ${rows}`);
  return row?.count ?? 0;
}

/** The sequence of each table that has one. */
export async function listSequences(
  sql: Sql,
  tables: readonly CopiedTable[],
): Promise<Map<CopiedTable, string>> {
  const rows = await sql.query<{ table: CopiedTable; sequence: string }>(
    `SELECT * FROM (
       SELECT name AS table,
         CASE WHEN name = 'check_results' THEN 'check_results_pk' ELSE pg_get_serial_sequence(name, attname) END AS sequence
       FROM unnest($1::text[]) AS name JOIN pg_attribute ON attrelid = name::regclass AND attname = 'pk'
     ) AS found WHERE sequence IS NOT NULL`,
    [tables],
  );
  return new Map(rows.map(({ table, sequence }) => [table, sequence]));
}
