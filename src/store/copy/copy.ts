import { AppError } from "../../errors.ts";
import { COPIED_TABLES, type CopiedTable } from "./tables.ts";

/** A value as SQLite stores it: booleans are 0 and 1, JSON is text. */
export type Value = number | string | Uint8Array | null;

/** The values of a row, in the order of the columns that were asked for. */
export type Row = Value[];

/** The last number that each table gave to a row, also to one that was deleted since. */
export type LastNumbers = Map<CopiedTable, number>;

/** A database of this version on which no server runs, and a snapshot of it. */
export interface CopySource {
  /** Its path or name, without a password. */
  name: string;
  /** The columns of a table, and those that this engine can derive for the other one. */
  listColumns(table: CopiedTable): Promise<string[]>;
  count(table: CopiedTable): Promise<number>;
  /** All rows of a table, in batches. */
  read(table: CopiedTable, columns: string[]): AsyncIterable<Row[]>;
  findLastNumbers(): Promise<LastNumbers>;
  /** @throws AppError `refused` if a server was started since */
  assertUnused(): Promise<void>;
  close(): Promise<void>;
}

/** An empty database of this version. It stays empty until `commit`. */
export interface CopyTarget {
  /** Its path or name, without a password. */
  name: string;
  listColumns(table: CopiedTable): Promise<string[]>;
  write(table: CopiedTable, columns: string[], rows: Row[]): Promise<void>;
  /** Completes what depends on the rows: numbers of later rows, indexes. To be called after the last row. */
  finish(lastNumbers: LastNumbers): Promise<void>;
  count(table: CopiedTable): Promise<number>;
  /** @throws AppError `refused` if something else was created in its place, which then stays */
  commit(): Promise<void>;
  /** Without a commit, nothing of the copy remains. */
  close(): Promise<void>;
}

/** @property total how many rows the table has @property done how many of them are copied */
export interface CopyProgress {
  table: CopiedTable;
  done: number;
  total: number;
}

/**
 * Copies every row with its numbers and IDs, and leaves the source as it is (behavior 12.50 to 12.53).
 *
 * @param onProgress called after each batch, at least once for each table
 * @returns how many rows each table has
 * @throws AppError `refused` if a table of the target has not as many rows as in the source: nothing is copied
 */
export async function copyDatabase(
  source: CopySource,
  target: CopyTarget,
  onProgress: (progress: CopyProgress) => void,
): Promise<Map<CopiedTable, number>> {
  const totals = new Map<CopiedTable, number>();
  for (const table of COPIED_TABLES) totals.set(table, await source.count(table));
  for (const [table, total] of totals) await copyTable({ source, target }, { table, total }, onProgress);
  await target.finish(await source.findLastNumbers());
  for (const [table, total] of totals)
    assertCopied(source, { table, total, copied: await target.count(table) });
  await source.assertUnused();
  await target.commit();
  return totals;
}

interface Databases {
  source: CopySource;
  target: CopyTarget;
}

async function copyTable(
  { source, target }: Databases,
  { table, total }: { table: CopiedTable; total: number },
  onProgress: (progress: CopyProgress) => void,
): Promise<void> {
  const known = new Set(await source.listColumns(table));
  // A column that the source does not have gets its default.
  const columns = (await target.listColumns(table)).filter((column) => known.has(column));
  onProgress({ table, done: 0, total });
  let done = 0;
  let writing = Promise.resolve();
  for await (const rows of source.read(table, columns)) {
    await writing;
    onProgress({ table, done, total });
    // The next batch is read meanwhile.
    writing = target.write(table, columns, rows);
    writing.catch(() => {});
    done += rows.length;
  }
  await writing;
  onProgress({ table, done, total });
}

function assertCopied(
  { name }: CopySource,
  { table, total, copied }: { table: CopiedTable; total: number; copied: number },
): void {
  if (copied === total) return;
  throw new AppError(
    "refused",
    `nothing was copied: ${table} has ${total} rows in ${name}, and ${copied} in the copy`,
  );
}
