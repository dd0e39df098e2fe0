/* CSV as of RFC 4180, for programs and for spreadsheets. */

export type CsvCell = string | number | null;

export function csvLine(cells: readonly CsvCell[]): string {
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

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const safe =
    (GUARDED.test(cell) ? "'" : "") + cell.replaceAll(FORMULA, (_, at: number) => (at > 0 ? "'" : ""));
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
