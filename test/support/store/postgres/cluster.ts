import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { memoryDir } from "../../temp-dir.ts";
import { findPrograms, findUnprivilegedUser, guardDirectory, run, runAs } from "./programs.ts";

/** A PostgreSQL server of its own for tests, in a temporary directory. It ends with this process, however that ends. */
export interface Cluster {
  /** The directory of everything, and of its socket. */
  dir: string;
  /** How `pg` reaches one of its databases. */
  config(database: string): pg.ClientConfig;
  /** How stillup reaches one of its databases. */
  url(database: string): string;
  /** The number of its process, which each start changes. */
  pid(): number;
  /** Ends the server at once and without a checkpoint, as a crash does. */
  crash(): void;
  /** Starts it after a crash. */
  start(): void;
  /** Ends the server and deletes its directory. */
  end(): void;
}

/** The superuser. No connection needs a password. */
const USER = "postgres";

/**
 * Without durability, because the directory is deleted at the end anyway. Each open store has up to a dozen connections.
 */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "256MB",
  max_connections: "500",
  shared_buffers: "64MB",
  listen_addresses: "''",
  jit: "off",
  autovacuum: "off",
  update_process_title: "off",
  log_min_messages: "fatal",
};

/**
 * Creates and starts a cluster.
 *
 * @param settings of `postgresql.conf`, in its syntax
 * @throws Error if PostgreSQL is not installed or does not start
 */
export async function createCluster(settings: Record<string, string> = {}): Promise<Cluster> {
  const programs = findPrograms();
  if (!programs) throw new Error("PostgreSQL is not installed (Debian: sudo apt-get install postgresql)");
  const user = findUnprivilegedUser();
  const dir = mkdtempSync(join(memoryDir(), "stillup-pg-"));
  guardDirectory(dir);
  chmodSync(dir, 0o755);
  if (user) run(["chown", user, dir]);
  const call = (program: string, ...args: string[]) =>
    run([...runAs(user), join(programs, program), "-D", join(dir, "data"), ...args], dir);
  call("initdb", "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions");
  const all = { ...SETTINGS, unix_socket_directories: `'${dir}'`, ...settings };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
  await Bun.write(join(dir, "data/postgresql.auto.conf"), lines.join(""));
  const start = () => call("pg_ctl", "start", "--wait", "--silent", "--log", join(dir, "log"));
  const crash = () => call("pg_ctl", "stop", "--mode=immediate", "--silent");
  start();
  return {
    dir,
    config: (database) => ({ host: dir, user: USER, database }),
    url: (database) => `postgresql://${USER}@localhost/${database}?host=${encodeURIComponent(dir)}`,
    pid: () => Number.parseInt(readFileSync(join(dir, "data/postmaster.pid"), "utf8"), 10),
    crash,
    start,
    end() {
      // A test that failed may have stopped it.
      if (existsSync(join(dir, "data/postmaster.pid"))) crash();
      rmSync(dir, { recursive: true });
    },
  };
}

/** `options` of a connection that writes while a test forbids writes. */
export const MAY_WRITE = "-c default_transaction_read_only=off";

/** Runs a statement. @returns its rows */
export type Query = <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;

/** Does some work on one connection of its own. To open one takes as long as some fifty statements. */
export async function onConnection<Result>(
  config: pg.ClientConfig,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await work(async (sql, values = []) => (await client.query(sql, values)).rows);
  } finally {
    await client.end();
  }
}

/** Runs a statement on a connection of its own. */
export function runSql<Row extends object>(
  config: pg.ClientConfig,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return onConnection(config, (query) => query<Row>(sql, values));
}

let shared: Promise<Cluster> | undefined;

/** The cluster that the tests of this process share. */
export function sharedCluster(): Promise<Cluster> {
  shared ??= createCluster();
  return shared;
}
