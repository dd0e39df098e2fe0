import type { Outcome } from "../run/course.ts";
import { COLUMNS, cellsOf, type Figures, figuresOf } from "./figures.ts";

/** Who ran, and what became of it. */
export interface Ran {
  contestant: string;
  outcomes: Outcome[];
}

/** The scenarios of each class, by name. */
export type Classes = Record<string, { name: string }[]>;

/** Rows of cells, of which the first has the titles and the last the sums. */
type Table = string[][];

/** The figures of one contestant. */
export function tableOf(classes: Classes, { outcomes }: Ran): Table {
  return [
    ["class", ...COLUMNS],
    ...rowsOf(classes, outcomes).map(([name, own]) => [name, ...cellsOf(figuresIn(own), impossibleIn(own))]),
  ];
}

/** The figures of the first contestant, and beside them which runs of the others were right. */
export function comparisonOf(classes: Classes, [first, ...others]: [Ran, ...Ran[]]): Table {
  const [titles = [], ...rows] = tableOf(classes, first);
  const beside = others.map(({ outcomes }) => rowsOf(classes, outcomes).map(([, own]) => briefly(own)));
  return [
    [...titles, ...others.map(({ contestant }) => `${contestant}: right, false, missed, late, not possible`)],
    ...rows.map((row, at) => [...row, ...beside.map((cells) => cells[at] ?? "")]),
  ];
}

export function figuresIn(outcomes: Outcome[]): Figures {
  return figuresOf(
    outcomes.flatMap(({ verdict }) => (typeof verdict === "object" && "falses" in verdict ? [verdict] : [])),
  );
}

function rowsOf(classes: Classes, outcomes: Outcome[]): [string, Outcome[]][] {
  const rows = Object.entries(classes).map(([name, own]): [string, Outcome[]] => {
    const names = new Set(own.map((one) => one.name));
    return [name, outcomes.filter(({ scenario }) => names.has(scenario))];
  });
  return [...rows, ["all", outcomes]];
}

function impossibleIn(outcomes: Outcome[]): number {
  return outcomes.filter(({ verdict }) => verdict === "not possible").length;
}

function briefly(outcomes: Outcome[]): string {
  const { right, falses, missed, late } = figuresIn(outcomes);
  return [right, falses, missed, late, impossibleIn(outcomes)].join(", ");
}

/** For people who read it in a terminal. */
export function asText(table: Table): string {
  return table
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(14) : cell.padStart(12))).join(" "))
    .join("\n");
}

export function asMarkdown(table: Table): string {
  const [titles = [], ...rows] = table;
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(titles), line(titles.map(() => "---")), ...rows.map(line)].join("\n");
}
