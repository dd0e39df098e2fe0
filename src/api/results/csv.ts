import type { Logger } from "../../log.ts";
import { sendText } from "../http/json-stream.ts";

/* CSV as of RFC 4180, for programs and for spreadsheets. */

type Cell = string | number | null;

/** A row: the names of its columns in their order, with its values. */
export type CsvRow = Record<string, Cell>;

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
  let head = lineOf(columns);
  for await (const slice of slices) {
    yield head + slice.map((row) => lineOf(columns.map((column) => row[column] ?? null))).join("");
    head = "";
  }
  yield head;
}

function lineOf(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

/**
 * Spreadsheets compute a text that begins with a sign of a formula, which a target or another user may have written: a quote
 * makes it a text (behavior 14.79). Depending on their language and settings, they also split a line at each `;` or tab, and
 * take the wide signs. A quote inside a field does not stop them then.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[^\S;\t\r\n]*[=+\-@＝＋－＠])/g;

/** Such a text, or one that begins with a separator: a quote at its start makes it a text. */
const GUARDED = /^(?:\s*[=+\-@＝＋－＠]|[;\t\r\n])/;

const SPECIAL = /[",;\t\r\n]|^\s|\s$/;

function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const safe =
    (GUARDED.test(cell) ? "'" : "") + cell.replaceAll(FORMULA, (_, at: number) => (at > 0 ? "'" : ""));
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
