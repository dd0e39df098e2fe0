import type { SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { statSync } from "node:fs";
import { AppError } from "../../../errors.ts";
import {
  BATCH,
  COPIED_TABLES,
  type CopiedRow,
  type CopiedTable,
  type CopySource,
  type LastNumbers,
  SEGMENTS_AT_ONCE,
} from "../../copy.ts";
import type { SegmentRow } from "../../results/segment-rows.ts";
import { openSqlite } from "../../sqlite-file.ts";
import { existingDatabase, lockForCopy } from "../data-dir.ts";
import { assertOwnDatabase, schemaVersion } from "../migrate.ts";
import { FOUND_SEGMENT } from "../results/segments.ts";

/**
 * Opens the database of a data directory as the source of a copy, read-only. No server can start on it until it is closed.
 *
 * @throws AppError `refused` if there is no database, it is not of this version, or a server runs
 */
export async function openCopySource(dataDir: string): Promise<CopySource> {
  const path = existingDatabase(dataDir);
  const unlock = lockForCopy(dataDir);
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  let sqlite: Sqlite | undefined;
  const close = async () => {
    sqlite?.close();
    if (!hasLog) deleteEmptyLog(path);
    unlock();
  };
  try {
    sqlite = openSqlite(path, { readonly: true });
    sqlite.run("BEGIN");
    assertThisVersion(sqlite);
    return { ...queriesOf(sqlite), name: path, assertUnused: async () => {}, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A connection that only reads creates a log, and does not delete it. The last one that may write does. */
function deleteEmptyLog(path: string): void {
  const sqlite = openSqlite(path, { readwrite: true, create: false });
  try {
    sqlite.query("SELECT count(*) FROM sqlite_schema").get();
  } finally {
    sqlite.close();
  }
}

function assertThisVersion(sqlite: Sqlite): void {
  assertOwnDatabase(sqlite);
  const { user_version } = sqlite.query<{ user_version: number }, []>("PRAGMA user_version").get() ?? {};
  if (user_version === schemaVersion()) return;
  throw new AppError(
    "refused",
    `${sqlite.filename} was created by an older version of stillup: start this version on it once`,
  );
}

type Queries = Pick<
  CopySource,
  "listColumns" | "count" | "countLeftOut" | "readSegments" | "read" | "findLastNumbers"
>;

function queriesOf(sqlite: Sqlite): Queries {
  return {
    listColumns: async (table) => listColumns(sqlite, table).map(({ name }) => name),
    count: async (table) => countRows(sqlite, table),
    countLeftOut: () => 0,
    readSegments: () => readSegments(sqlite),
    read: (table, columns) => read(sqlite, table, columns),
    findLastNumbers: async () => findLastNumbers(sqlite),
  };
}

/** @property pk the place of the column in the primary key, from 1; 0 if it is not in it */
interface Column {
  name: string;
  pk: number;
}

export function listColumns(sqlite: Sqlite, table: CopiedTable): Column[] {
  return sqlite.query<Column, [string]>("SELECT name, pk FROM pragma_table_info(?)").all(table);
}

/** Packed results count as rows of `check_results`. */
export function countRows(sqlite: Sqlite, table: CopiedTable): number {
  const count = (text: string) => sqlite.query<{ count: number }, []>(text).get()?.count ?? 0;
  const packed =
    table === "check_results" ? count("SELECT coalesce(sum(count), 0) AS count FROM result_segments") : 0;
  return packed + count(`SELECT count(*) AS count FROM ${table}`);
}

const READ_SEGMENTS = `SELECT ${FOUND_SEGMENT} FROM result_segments WHERE (monitor_pk, first_pk) > (?, ?)
  ORDER BY monitor_pk, first_pk LIMIT ${SEGMENTS_AT_ONCE}`;

async function* readSegments(sqlite: Sqlite): AsyncGenerator<SegmentRow[]> {
  using next = sqlite.prepare<SegmentRow, [number, number]>(READ_SEGMENTS);
  for (
    let last: Pick<SegmentRow, "monitorPk" | "firstPk"> | undefined = { monitorPk: -1, firstPk: 0 };
    last;
  ) {
    const segments: SegmentRow[] = next.all(last.monitorPk, last.firstPk);
    if (segments.length > 0) yield segments;
    last = segments.length === SEGMENTS_AT_ONCE ? segments.at(-1) : undefined;
  }
}

/** Reads in the order of the primary key, each batch after the key of the last row. */
async function* read(sqlite: Sqlite, table: CopiedTable, columns: string[]): AsyncGenerator<CopiedRow[]> {
  const key = listColumns(sqlite, table)
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => name);
  const select = `SELECT ${columns.join(", ")} FROM ${table}`;
  const order = `ORDER BY ${key.join(", ")} LIMIT ${BATCH}`;
  const first = sqlite.prepare<CopiedRow, SQLQueryBindings[]>(`${select} ${order}`);
  const next = sqlite.prepare<CopiedRow, SQLQueryBindings[]>(
    `${select} WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")}) ${order}`,
  );
  const places = key.map((name) => columns.indexOf(name));
  try {
    let rows = first.values() as CopiedRow[];
    while (rows.length > 0) {
      yield rows;
      const last = rows.at(-1) ?? [];
      rows =
        rows.length < BATCH
          ? []
          : (next.values(...places.map((place) => last[place] ?? null)) as CopiedRow[]);
    }
  } finally {
    for (const statement of [first, next]) statement.finalize();
  }
}

/** Tables with `AUTOINCREMENT` remember the numbers of deleted rows. The others use a number again. */
function findLastNumbers(sqlite: Sqlite): LastNumbers {
  const remembered = sqlite.query<{ seq: number }, [string]>(
    "SELECT seq FROM sqlite_sequence WHERE name = ?",
  );
  const numbered = COPIED_TABLES.filter((table) =>
    listColumns(sqlite, table).some(({ name }) => name === "pk"),
  );
  return new Map(
    numbered.map((table) => {
      const { last } =
        sqlite.query<{ last: number | null }, []>(`SELECT max(pk) AS last FROM ${table}`).get() ?? {};
      return [table, Math.max(last ?? 0, remembered.get(table)?.seq ?? 0)];
    }),
  );
}
