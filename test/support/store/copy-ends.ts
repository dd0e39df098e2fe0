import { Database as Sqlite } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StoreSettings } from "../../../src/store/engine.ts";
import { tempDir } from "../temp-dir.ts";
import { onConnection, type Query, runSql, sharedCluster } from "./postgres/cluster.ts";
import { createTestDatabase, dropDatabase } from "./postgres/databases.ts";
import { findPrograms, run } from "./postgres/programs.ts";

/** All rows of a table as JSON texts, by column, with bytes in hexadecimal and booleans as numbers. */
export type Dump = Map<string, Record<string, unknown>[]>;

/** A database to copy from or to. `Symbol.asyncDispose` deletes it. */
export interface CopyEnd extends AsyncDisposable {
  engine: "sqlite" | "postgres";
  settings: StoreSettings;
  /** Whether it is as empty as at first. */
  isEmpty(): Promise<boolean>;
  dump(): Promise<Dump>;
  /** Content of the database besides rows: indexes, partitions, the numbers that it gave out. */
  dumpStructure(): Promise<unknown>;
  /** Runs a statement behind the back of the store. */
  run(sql: string): Promise<void>;
}

export type CreateEnd = () => Promise<CopyEnd>;

/** Runs a statement on PostgreSQL before anything else happens in this process. */
export function runAtOnce({ settings }: CopyEnd, sql: string): void {
  const psql = join(findPrograms() ?? "", "psql");
  run([psql, "--no-psqlrc", "--quiet", settings.databaseUrl ?? "", "--command", sql]);
}

/** A data directory that does not exist yet. */
export const createSqliteEnd: CreateEnd = async () => {
  const dir = tempDir();
  const dataDir = join(dir.path, "data");
  const file = join(dataDir, "stillup.db");
  const query = (sql: string) => {
    const sqlite = new Sqlite(file, { readonly: true });
    try {
      return sqlite.query<Record<string, unknown>, []>(sql).all();
    } finally {
      sqlite.close();
    }
  };
  const tables = () =>
    query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").map(
      ({ name }) => String(name),
    );
  return {
    engine: "sqlite",
    settings: { dataDir },
    isEmpty: async () => !existsSync(file),
    dump: async () =>
      new Map(tables().map((table) => [table, sorted(query(`SELECT * FROM ${table}`).map(plain))])),
    dumpStructure: async () => [
      query("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name"),
      query("SELECT * FROM sqlite_sequence ORDER BY name"),
      query("PRAGMA user_version"),
      query("PRAGMA application_id"),
      query("PRAGMA auto_vacuum"),
    ],
    async run(sql) {
      const sqlite = new Sqlite(file);
      sqlite.run(sql);
      sqlite.close();
    },
    async [Symbol.asyncDispose]() {
      dir[Symbol.dispose]();
    },
  };
};

/** A database with tables and without rows. */
export const createPostgresEnd: CreateEnd = async () => postgresEnd(await createTestDatabase());

/** A database without tables. */
export const createBareEnd: CreateEnd = async () => {
  const name = `bare_${process.pid}_${++bare}`;
  await runSql((await sharedCluster()).config("postgres"), `CREATE DATABASE ${name}`);
  return postgresEnd(name);
};

let bare = 0;

async function postgresEnd(database: string): Promise<CopyEnd> {
  const cluster = await sharedCluster();
  const connected = <Result>(work: (query: Query) => Promise<Result>) =>
    onConnection(cluster.config(database), work);
  return {
    engine: "postgres",
    settings: { dataDir: "/nonexistent", databaseUrl: cluster.url(database) },
    isEmpty: () =>
      connected(async (query) => {
        for (const table of await tablesOf(query))
          if (table !== "schema_versions" && (await rowsOf(query, table)).length > 0) return false;
        return true;
      }),
    dump: () =>
      connected(async (query) => {
        const dump: Dump = new Map();
        for (const table of await tablesOf(query)) dump.set(table, await rowsOf(query, table));
        return dump;
      }),
    dumpStructure: () =>
      connected(async (query) => [
        await query(
          "SELECT schemaname, sequencename, last_value FROM pg_sequences ORDER BY schemaname, sequencename",
        ),
        await query(
          "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2",
        ),
        await query(
          `SELECT oid::regclass::text AS name, pg_get_expr(relpartbound, oid) AS bound FROM pg_class
           WHERE relispartition AND relkind = 'r' ORDER BY 1`,
        ),
      ]),
    async run(sql) {
      await connected((query) => query(sql));
    },
    async [Symbol.asyncDispose]() {
      dropDatabase(database);
    },
  };
}

async function tablesOf(query: Query): Promise<string[]> {
  const found = await query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`,
  );
  return found.map(({ name }) => name);
}

async function rowsOf(query: Query, table: string): Promise<Record<string, unknown>[]> {
  const columns = await query<{ name: string; type: string }>(
    `SELECT attname AS name, atttypid::regtype::text AS type FROM pg_attribute
     WHERE attrelid = '${table}'::regclass AND attnum > 0`,
  );
  const selected = columns.map(({ name, type }) => {
    if (type === "json") return `${name}::text`;
    return type === "boolean" ? `${name}::integer` : name;
  });
  return sorted((await query(`SELECT ${selected.join(", ")} FROM ${table}`)).map(plain));
}

function plain(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? value.toHex() : value]),
  );
}

function sorted<Row>(rows: Row[]): Row[] {
  return rows
    .map((row) => ({ row, text: JSON.stringify(row) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row);
}
