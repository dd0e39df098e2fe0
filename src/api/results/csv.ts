import { type CsvCell, csvLine } from "../../domain/csv.ts";
import type { Logger } from "../../log.ts";
import { sendText } from "../http/json-stream.ts";

/** A row: the names of its columns in their order, with its values. */
export type CsvRow = Record<string, CsvCell>;

/**
 * Sends rows as a file, in slices.
 *
 * @param columns the names of the columns, in order
 * @param name of the file, without `.csv`
 */
export function sendCsv<Row extends CsvRow>(
  columns: readonly (keyof Row & string)[],
  slices: AsyncIterable<Row[]>,
  { log, name, gzip }: { log: Logger; name: string; gzip: boolean },
): Promise<Response> {
  const headers = {
    "content-type": "text/csv;charset=utf-8;header=present",
    "content-disposition": `attachment; filename="${name}.csv"`,
  };
  return sendText(csvText(columns, slices), { log, gzip, headers });
}

/** The text of some rows, with the names of the columns as its first line. */
export async function* csvText<Row extends CsvRow>(
  columns: readonly (keyof Row & string)[],
  slices: AsyncIterable<Row[]>,
): AsyncGenerator<string> {
  let head = csvLine(columns);
  for await (const slice of slices) {
    yield head + slice.map((row) => csvLine(columns.map((column) => row[column] ?? null))).join("");
    head = "";
  }
  yield head;
}
