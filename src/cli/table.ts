import type { Command } from "commander";
import { isTerminal, visibleLine } from "../log.ts";
import { printJson, printText } from "./options.ts";

/* Lists for people: tables with the names of the columns on a terminal, JSON elsewhere (behavior 9.123). */

/** The columns of a table: the text of a row in each of them, by the title of the column. */
export type Columns<Row> = Record<string, (row: Row) => string>;

/** Adds the option with which a terminal gets JSON too. */
export function withJson(command: Command): Command {
  return command.option("--json", "print JSON, as when the output is not a terminal");
}

/** Prints rows as a table on a terminal, and otherwise as JSON. */
export async function printRows<Row>(
  rows: readonly Row[],
  columnsOf: Columns<Row>,
  json: true | undefined,
): Promise<void> {
  if (json || !isTerminal(1)) printJson(rows);
  else await printText(table(rows, columnsOf, process.stdout.columns || 80));
}

const GAP = "  ";

/** Aligned columns with a title each. @param width of a line, in columns of the terminal */
export function table<Row>(rows: readonly Row[], columnsOf: Columns<Row>, width: number): string {
  const titles = Object.keys(columnsOf);
  const cells = rows.map((row) => Object.values(columnsOf).map((textOf) => visibleLine(textOf(row))));
  const lines = [titles, ...cells];
  const needed = titles.map((_, at) => Math.max(...lines.map((line) => columns(line[at] ?? ""))));
  const widths = fitted(needed, width - GAP.length * (titles.length - 1));
  const padded = lines.map((line) =>
    line
      .map((cell, at) => padEnd(cut(cell, widths[at] ?? 0), widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
  return padded.map((line) => `${cut(line, width)}\n`).join("");
}

/** A column that is not wider than this is not cut for the last one. */
const MIN_CUT = 10;

/** The last column has the ID that other commands take: if it does not fit, the widest of the others gives way. */
function fitted(needed: readonly number[], width: number): number[] {
  const widths = [...needed];
  const last = widths.pop() ?? 0;
  const total = () => widths.reduce((sum, one) => sum + one, last);
  while (total() > width) {
    const widest = Math.max(0, ...widths);
    if (widest <= MIN_CUT) return [...needed];
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return [...widths, last];
}

/** A time for a table, in UTC without seconds; a hyphen without one. */
export function timeCell(time: string | null | undefined): string {
  return time ? time.slice(0, 16).replace("T", " ") : "-";
}

/** How many columns of a terminal a text takes: letters of East Asia and emoji take two. */
export function columns(text: string): number {
  return Bun.stringWidth(text);
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columns(text)));
}

const graphemes = new Intl.Segmenter();

/** The beginning of a text with at most this many columns, without half a letter. */
export function cut(text: string, width: number): string {
  if (columns(text) <= width) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    if (columns(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
