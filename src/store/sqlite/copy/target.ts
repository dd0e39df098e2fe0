import type { Database as Sqlite, Statement } from "bun:sqlite";
import { existsSync, linkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../errors.ts";
import type { CopiedTable, CopyTarget, LastNumbers } from "../../copy.ts";
import { createDataDir } from "../../data-dir.ts";
import { SEGMENT_COLUMNS, SEGMENT_FIELDS } from "../../results/segment-rows.ts";
import { openSqlite, sortInFiles } from "../../sqlite-file.ts";
import { beforeSignals, sync } from "../backup.ts";
import { DATABASE, lockForCopy } from "../data-dir.ts";
import { migrate } from "../migrate.ts";
import { countRows, listColumns } from "./source.ts";

/**
 * Opens a data directory as the target of a copy, and creates it if it does not exist. The database gets its name when it
 * is complete and on the disk. No server can start on the directory until then.
 *
 * @throws AppError `refused` if there is a database or the log of one, or a server runs
 */
export async function openCopyTarget(dataDir: string): Promise<CopyTarget> {
  createDataDir(dataDir);
  const path = join(dataDir, DATABASE);
  const partial = `${path}.copying`;
  const unlock = lockForCopy(dataDir);
  let sqlite: Sqlite | undefined;
  const close = async () => {
    sqlite?.close();
    rmSync(partial, { force: true });
    unlock();
    stopWatching();
  };
  const stopWatching = beforeSignals(() => rmSync(partial, { force: true }));
  try {
    assertFree(path);
    rmSync(partial, { force: true });
    const created = createPartial(partial);
    sqlite = created;
    const commit = async () => {
      created.run("COMMIT");
      created.close();
      sqlite = undefined;
      assertFree(path);
      nameDatabase(dataDir, partial, path);
    };
    return { ...queriesOf(created), name: path, commit, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** SQLite would apply the log of another database to the copy. */
function assertFree(path: string): void {
  const taken = [path, `${path}-wal`, `${path}-journal`].find((one) => existsSync(one));
  if (taken) throw new AppError("refused", `${taken} exists already: a copy overwrites nothing`);
}

/** Nobody reads a partial database, so it needs no journal on the disk and no syncs before its end. */
function createPartial(partial: string): Sqlite {
  // Fails if there is a file or a link, which somebody created meanwhile.
  writeFileSync(partial, "", { mode: 0o600, flag: "wx" });
  const sqlite = openSqlite(partial);
  try {
    for (const pragma of [
      // As in `open.ts`.
      "auto_vacuum = INCREMENTAL",
      "journal_mode = MEMORY",
      "synchronous = OFF",
      // Kilobytes.
      "cache_size = -16384",
    ])
      sqlite.run(`PRAGMA ${pragma}`);
    migrate(sqlite, () => {});
    sortInFiles(sqlite);
    sqlite.run("PRAGMA foreign_keys = OFF");
    sqlite.run("BEGIN");
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** A link, unlike a rename, fails if another command has created a database meanwhile. */
function nameDatabase(dataDir: string, partial: string, path: string): void {
  sync(partial);
  linkSync(partial, path);
  rmSync(partial);
  sync(dataDir);
}

type Queries = Pick<
  CopyTarget,
  "listColumns" | "write" | "writeSegments" | "finishSegments" | "finish" | "count"
>;

const WRITE_SEGMENT = `INSERT INTO result_segments (${SEGMENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** As packing notes it. */
const NOTE_SEALED = `UPDATE service SET sealed_until = max(coalesce(sealed_until, 0), last_pk + 1)
  FROM (SELECT max(last_pk) AS last_pk FROM result_segments) WHERE last_pk IS NOT NULL`;

function queriesOf(sqlite: Sqlite): Queries {
  const indexes = dropIndexes(sqlite);
  const statements = new Map<CopiedTable, Statement>();
  return {
    listColumns: async (table) => listColumns(sqlite, table).map(({ name }) => name),
    async write(table, columns, rows) {
      const statement = statements.get(table) ?? sqlite.prepare(insertOf(table, columns));
      statements.set(table, statement);
      for (const row of rows) statement.run(...(row as never[]));
    },
    async writeSegments(segments) {
      using statement = sqlite.prepare(WRITE_SEGMENT);
      for (const segment of segments) statement.run(...SEGMENT_FIELDS.map((field) => segment[field]));
    },
    finishSegments: async () => {},
    async finish(lastNumbers) {
      for (const statement of statements.values()) statement.finalize();
      for (const sql of indexes) sqlite.run(sql);
      sqlite.run(NOTE_SEALED);
      setLastNumbers(sqlite, lastNumbers);
      assertReferences(sqlite);
    },
    count: async (table) => countRows(sqlite, table),
  };
}

function insertOf(table: CopiedTable, columns: string[]): string {
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}

/** Building an index from all rows is several times faster than adding row by row. @returns the SQL that creates them */
function dropIndexes(sqlite: Sqlite): string[] {
  const indexes = sqlite
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
    )
    .all();
  for (const { name } of indexes) sqlite.run(`DROP INDEX ${name}`);
  return indexes.map(({ sql }) => sql);
}

/** Only tables with `AUTOINCREMENT` remember them. */
function setLastNumbers(sqlite: Sqlite, lastNumbers: LastNumbers): void {
  const remembers = sqlite.query<{ name: string }, [string]>(
    "SELECT name FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'",
  );
  for (const [table, last] of lastNumbers) {
    if (last === 0 || !remembers.get(table)) continue;
    sqlite.run("DELETE FROM sqlite_sequence WHERE name = ?", [table]);
    sqlite.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, last]);
  }
}

function assertReferences(sqlite: Sqlite): void {
  const orphans = sqlite.query("PRAGMA foreign_key_check").all().length;
  if (orphans === 0) return;
  throw new AppError("refused", `nothing was copied: ${orphans} rows lack the row they refer to`);
}
