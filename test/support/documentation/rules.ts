import { Glob } from "bun";

export interface Rule {
  /** Section and number within it, as in `behavior 7.23`. */
  number: string;
  /** The first line of the rule. */
  text: string;
}

/** A page of docs/behavior. @property path from the root of the repository */
export interface Section {
  path: string;
  text: string;
}

export interface Citation {
  rule: string;
  file: string;
  line: number;
}

const LIST = String.raw`\d+\.\d+(?:(?:, | and )\d+\.\d+)*`;
const CITATION = new RegExp(String.raw`\bbehavior (${LIST})`, "g");
const NAME = new RegExp(String.raw`["'\`](behavior ${LIST}: [^\n]*?)["'\`]\s*[,)]`, "g");

/** The pages of docs/behavior, one for each section, in their order. */
export async function readSections(): Promise<Section[]> {
  return Promise.all(
    sources("docs/behavior/[0-9]*.md").map(async (path) => ({ path, text: await Bun.file(path).text() })),
  );
}

/** The rules of docs/behavior, in their order. */
export async function readRules(): Promise<Rule[]> {
  return (await readSections()).flatMap(({ text }) => rulesIn(text));
}

function rulesIn(page: string): Rule[] {
  return [...page.matchAll(/^- \*\*(\d+\.\d+)\*\* (.+)/gm)].map(([, number = "", text = ""]) => ({
    number,
    text,
  }));
}

/** Where the code, the tests and the scripts cite a rule as `behavior 7.23` or `behavior 7.23, 7.24`. */
export async function findCitations(): Promise<Citation[]> {
  return (await Promise.all(sources("{src,test,scripts}/**/*.{ts,tsx}").map(citationsIn))).flat();
}

async function citationsIn(file: string): Promise<Citation[]> {
  const lines = (await Bun.file(file).text()).split("\n");
  return lines.flatMap((text, at) =>
    [...text.matchAll(CITATION)].flatMap(([, list = ""]) =>
      numbersOf(list).map((rule) => ({ rule, file, line: at + 1 })),
    ),
  );
}

export interface NamedTest {
  file: string;
  name: string;
}

/** The tests, and groups of tests, whose names begin with a rule: `behavior 7.23: …`. @returns them by rule */
export async function findTests(): Promise<Map<string, NamedTest[]>> {
  const found = new Map<string, NamedTest[]>();
  for (const file of sources("test/**/*.{test,e2e}.ts")) {
    for (const [, name = ""] of (await Bun.file(file).text()).matchAll(NAME)) {
      for (const rule of numbersOf(name.slice(0, name.indexOf(":")))) {
        found.set(rule, [...(found.get(rule) ?? []), { file, name }]);
      }
    }
  }
  return found;
}

function sources(pattern: string): string[] {
  return [...new Glob(pattern).scanSync(".")].toSorted();
}

export function numbersOf(list: string): string[] {
  return list.match(/\d+\.\d+/g) ?? [];
}
