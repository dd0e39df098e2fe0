import { fieldOf } from "../domain/schemas/field-name.ts";
import { leadsTo } from "./yaml-tree.ts";

/*
 * The history in an imported file can have a hundred thousand days. For them, the YAML library takes ten seconds and a gigabyte. So
 * the history is printed with a line for each day, and exactly these lines are read here.
 */

const REF = /^ {2}"([\w.-]+)":(?: \{\})?$/;
const DAY = /^ {4}"(\d{4}-\d\d-\d\d)": (\{[^{}]*\})$/;
const COUNTS = /^\{(?:"\w+":\d+(?:\.\d+)?(?:,(?=")|(?=\})))*\}$/;

/** As the last section of a document. */
export function printHistory(history: object): string {
  const monitors = Object.entries(history).map(([ref, days]) => {
    const lines = Object.entries(days).map(
      ([day, counts]) => `\n    ${JSON.stringify(day)}: ${JSON.stringify(counts)}`,
    );
    return `  ${JSON.stringify(ref)}:${lines.join("") || " {}"}\n`;
  });
  return `history:${monitors.length > 0 ? `\n${monitors.join("")}` : " {}\n"}`;
}

/** @property rest the text before the history */
export interface HistoryLines {
  rest: string;
  history: object;
  /** The line of what a path names, or of what contains it, counted from 1. */
  lineOf(path: string): number;
}

type Days = Map<string, unknown>;

/** @returns undefined if the text does not end with a history as it is printed: then it is read like everything else */
export function takeHistory(text: string): HistoryLines | undefined {
  const start = /^history:\n/m.exec(text)?.index;
  if (start === undefined) return undefined;
  const rest = text.slice(0, start);
  const lines = text.slice(start).trimEnd().split("\n");
  const monitors = monitorsIn(lines.slice(1));
  if (!monitors) return undefined;
  const history = Object.fromEntries([...monitors].map(([ref, days]) => [ref, Object.fromEntries(days)]));
  return { rest, history, lineOf: (path) => rest.split("\n").length + positionOf(path, lines) };
}

/** @returns undefined if one of the lines has another form, or is there twice */
function monitorsIn(lines: readonly string[]): Map<string, Days> | undefined {
  const monitors = new Map<string, Days>();
  let days: Days | undefined;
  for (const line of lines) {
    const { ref, day, counts } = partsOf(line);
    if (ref !== undefined && !monitors.has(ref)) {
      days = new Map();
      monitors.set(ref, days);
    } else if (day !== undefined && days && !days.has(day)) days.set(day, counts);
    else return undefined;
  }
  return monitors;
}

function partsOf(line: string): { ref?: string; day?: string; counts?: unknown } {
  const [, day, counts = ""] = DAY.exec(line) ?? [];
  if (day !== undefined && COUNTS.test(counts)) return { day, counts: JSON.parse(counts) };
  const ref = REF.exec(line)?.[1];
  return ref === undefined ? {} : { ref };
}

/** The position of the line for a path; 0 is the line of the section. */
function positionOf(path: string, lines: readonly string[]): number {
  let [found, monitor] = [0, ""];
  for (const [position, line] of lines.entries()) {
    const { ref, day } = partsOf(line);
    if (ref !== undefined) monitor = fieldOf("history", ref);
    const at = day === undefined ? monitor : fieldOf(monitor, day);
    if (position > 0 && leadsTo(path, at)) found = position;
  }
  return found;
}
