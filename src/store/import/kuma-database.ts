import type { Database as Sqlite } from "bun:sqlite";
import { constants } from "node:fs";
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import { fileReason } from "../../system-error.ts";
import { openSqlite } from "../sqlite-file.ts";

/** The tables of Uptime Kuma that are read, by what they are called here. */
const TABLES = {
  monitors: "monitor",
  notifications: "notification",
  monitorNotifications: "monitor_notification",
  tags: "tag",
  monitorTags: "monitor_tag",
  maintenances: "maintenance",
  monitorMaintenances: "monitor_maintenance",
  pages: "status_page",
  pageDomains: "status_page_cname",
  groups: "group",
  monitorGroups: "monitor_group",
  settings: "setting",
  proxies: "proxy",
} as const;

/** A document of more monitors is too large for a server (behavior 16.62, 16.63). */
export const MAX_MONITORS = 20_000;

/** The most rows of another table. */
const MAX_ROWS = 200_000;

/** Tables of which only the size is read. */
const OTHERS = ["docker_host", "remote_browser", "api_key", "user", "incident"];

/** The same as `KumaData` of the importer, which the store may not import. */
export type KumaTables = Record<keyof typeof TABLES | "days", ForeignRow[]> & {
  others: Record<string, number>;
};

/**
 * Reads the database of Uptime Kuma 1 or 2, which may be running (behavior 16.94).
 *
 * @param since the first moment of the results by day, in milliseconds since 1970
 * @throws AppError `refused` if the file is no database, is damaged, or has no monitors of Uptime Kuma
 */
export function readKumaDatabase(
  path: string,
  { since, clock }: { since: number; clock: Pick<Clock, "sleep"> },
): Promise<KumaTables> {
  return withForeignCopy({ path, clock }, (copy) => {
    try {
      const database = openForeignDatabase(copy);
      try {
        return tablesOf(database, { path, since });
      } finally {
        database.close();
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError("refused", `${path} can't be read: ${(error as Error).message}`);
    }
  });
}

function tablesOf(database: ForeignDatabase, { path, since }: { path: string; since: number }): KumaTables {
  if (!database.has(TABLES.monitors) || !database.has(TABLES.notifications))
    throw new AppError("refused", `${path} is not a database of Uptime Kuma: it has no monitors`);
  const read = Object.entries(TABLES).map(([name, table]) => [
    name,
    database.rows(table, name === "monitors" ? MAX_MONITORS : MAX_ROWS),
  ]);
  const tables = Object.fromEntries(read);
  return {
    ...(tables as Record<keyof typeof TABLES, ForeignRow[]>),
    days: daysOf(database, since),
    others: Object.fromEntries(OTHERS.map((table) => [table, database.count(table)])),
  };
}

/** Version 2 counts the results of each day. Of version 1, they are counted here. */
function daysOf(database: ForeignDatabase, since: number): ForeignRow[] {
  const counted = database.has("stat_daily")
    ? database.query(
        "SELECT monitor_id, timestamp, up, down, ping FROM stat_daily WHERE timestamp >= ? LIMIT 1000000",
        since / 1000,
      )
    : [];
  if (counted.length > 0 || !database.has("heartbeat")) return counted;
  // Status 0 is down, 1 up, 2 a failure that is tried again, and 3 in a maintenance. Times are UTC, as text.
  return database.query(
    `SELECT monitor_id, CAST(strftime('%s', date(time)) AS INTEGER) AS timestamp,
            sum(status = 1) AS up, sum(status IN (0, 2)) AS down, avg(CASE status WHEN 1 THEN ping END) AS ping
       FROM heartbeat WHERE time >= ? GROUP BY monitor_id, date(time) LIMIT 1000000`,
    new Date(since).toISOString().slice(0, 10),
  );
}

/** A row whose columns and types are not known. */
type ForeignRow = Record<string, unknown>;

/** Maximum columns read from one table. */
const MAX_COLUMNS = 300;

/** Characters of a text that are read: more than any field takes. */
const MAX_TEXT = 100_000;

/** The database of another program, which may be damaged or hostile. Only its plain tables are read. */
interface ForeignDatabase {
  has(table: string): boolean;
  /**
   * All rows; none if the table is missing. Blobs are null, and long texts are cut.
   *
   * @throws AppError `refused` if there are more than `most`
   */
  rows(table: string, most: number): ForeignRow[];
  count(table: string): number;
  /** @param sql reads tables that `has` found */
  query(sql: string, ...values: (string | number)[]): ForeignRow[];
  close(): void;
}

/**
 * Opens a copy of a database: SQLite creates files beside it.
 *
 * @throws an error with the code of SQLite, such as SQLITE_NOTADB
 */
function openForeignDatabase(path: string): ForeignDatabase {
  const sqlite = openSqlite(path, { readwrite: true });
  // Views, triggers and generated columns could run code of the file, and a wrong page could be read as a row.
  sqlite.run("PRAGMA trusted_schema = OFF");
  sqlite.run("PRAGMA cell_size_check = ON");
  sqlite.run("PRAGMA query_only = ON");
  const tables = new Set(
    sqlite
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      )
      .all()
      .map(({ name }) => name),
  );
  const has = (table: string) => tables.has(table);
  function count(table: string): number {
    if (!has(table)) return 0;
    const [row] = sqlite.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${quoted(table)}`).all();
    return row?.count ?? 0;
  }
  return {
    has,
    rows(table, most) {
      // Before any is read: the rows of a large table need gigabytes.
      if (count(table) > most)
        throw new AppError(
          "refused",
          `the table ${table} has more than ${most} rows, which is the most that import reads`,
        );
      return has(table) ? sqlite.query<ForeignRow, []>(selectAll(sqlite, table)).all() : [];
    },
    count,
    query: (sql, ...values) => sqlite.query<ForeignRow, (string | number)[]>(sql).all(...values),
    close: () => sqlite.close(),
  };
}

/** `table_info` leaves out generated columns. */
function selectAll(sqlite: Sqlite, table: string): string {
  const columns = sqlite.query<{ name: string }, []>(`PRAGMA table_info(${quoted(table)})`).all();
  const cells = columns.slice(0, MAX_COLUMNS).map(({ name }) => {
    const column = quoted(name);
    return `CASE typeof(${column}) WHEN 'text' THEN substr(${column}, 1, ${MAX_TEXT}) WHEN 'blob' THEN NULL ELSE ${column} END AS ${column}`;
  });
  return `SELECT ${cells.join(", ")} FROM ${quoted(table)}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/*
 * A copy of the SQLite database of another program, which may write to it meanwhile. The original is only read: SQLite would
 * create files beside it, and take its locks.
 */

/** How often the copy is repeated while the program writes a checkpoint. */
const MAX_ATTEMPTS = 20;

/** Before a further attempt; milliseconds. */
const PAUSE = 250;

/** The files of a database: itself, its log, and the journal of an interrupted transaction. */
const ENDINGS = ["", "-wal", "-journal"];

/**
 * Copies a database with its log into a temporary folder, calls `use` with the path of the copy, and deletes it.
 *
 * @throws AppError `refused` if the program does not let the file rest long enough, or there is no place for a copy
 */
async function withForeignCopy<T>(
  { path, clock }: { path: string; clock: Pick<Clock, "sleep"> },
  use: (copy: string) => Promise<T> | T,
): Promise<T> {
  const folder = await createFolder(path);
  const copy = join(folder, "copy.db");
  try {
    await copyConsistently({ path, clock }, copy);
    return await use(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws AppError `refused` where no temporary folder can be created, as in a container that may not be written */
async function createFolder(path: string): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), "stillup-import-"));
  } catch (error) {
    throw new AppError(
      "refused",
      `${path} is read from a temporary copy, which can't be created in ${tmpdir()}: ${fileReason(error)}; set TMPDIR to a directory that can be written`,
    );
  }
}

/** Between two equal states of the files, no checkpoint moved pages from the log into the database. */
async function copyConsistently(
  { path, clock }: { path: string; clock: Pick<Clock, "sleep"> },
  copy: string,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await stateOf(path);
    for (const ending of ENDINGS) await copyIfThere(path + ending, copy + ending);
    if ((await stateOf(path)) === before) return;
    await clock.sleep(PAUSE);
  }
  throw new AppError(
    "refused",
    `${path} changes too fast to be copied: stop its program, or give a copy of it`,
  );
}

/**
 * The log may grow meanwhile, because a half-copied transaction at its end is ignored. After a checkpoint it begins again, which
 * its header and the database show.
 */
async function stateOf(path: string): Promise<string> {
  const { size, mtimeNs } = await stat(path, { bigint: true });
  return `${size} ${mtimeNs} ${await headerOf(`${path}-wal`)} ${await headerOf(`${path}-journal`)}`;
}

/** Bytes of the header of a log, with the salts of its frames. */
const HEADER = 32;

async function headerOf(path: string): Promise<string> {
  try {
    return Buffer.from(await Bun.file(path).slice(0, HEADER).arrayBuffer()).toString("hex");
  } catch (error) {
    if (isMissing(error)) return "none";
    throw error;
  }
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    // A copy-on-write file system copies no bytes.
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await rm(to, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
