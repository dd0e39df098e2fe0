import {
  Composer,
  type CST,
  type Document,
  Lexer,
  LineCounter,
  type ParsedNode,
  Parser,
  type YAMLError,
  YAMLParseError,
} from "yaml";
import { MAX_FAULTS } from "../domain/configuration/history.ts";
import { takeHistory } from "./history-lines.ts";
import type { SourceFault } from "./source-fault.ts";
import { createTree, DEEPEST, leadsTo, type Place, type ReplaceText } from "./yaml-tree.ts";

/** The content of a text. */
export interface YamlText {
  /** Plain values, as of JSON; undefined after a syntax error. */
  value: unknown;
  /** Faults of the syntax and of single values. The other values are not judged. */
  faults: SourceFault[];
  /** @param path as `fieldOf` forms it, such as `monitors.shop.config.url` */
  placeOf(path: string): Place;
}

/**
 * Reads YAML 1.2, of which JSON is a part, with anchors, aliases and merge keys (`<<`). A key that is twice in a map is a
 * fault, and so are more than 500,000 values and values that are nested deeper than 64 (behavior 16.61, 16.62).
 *
 * @param replace changes each text that is a value, and none that is a key
 */
export function readYaml(text: string, replace: ReplaceText = (one) => ({ text: one })): YamlText {
  const taken = takeHistory(text);
  if (!taken) return readAll(text, replace);
  const { value, faults, placeOf } = readAll(taken.rest, replace);
  const isOther = value !== null && (typeof value !== "object" || Array.isArray(value) || "history" in value);
  if (value === undefined || isOther) return readAll(text, replace);
  return {
    value: { ...value, history: taken.history },
    faults,
    placeOf: (path) => (leadsTo(path, "history") ? { line: taken.lineOf(path) } : placeOf(path)),
  };
}

function readAll(text: string, replace: ReplaceText): YamlText {
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const { document, deepAt } = compose(text, lines);
  const errors = document ? [...document.errors, ...document.warnings].slice(0, MAX_FAULTS) : [];
  const faults = errors.map((error) => ({ ...explained(error), line: lineAt(error.pos[0]) }));
  if (deepAt !== undefined) faults.push({ path: "", message: TOO_DEEP, line: lineAt(deepAt) });
  if (!document || faults.length > 0) return { value: undefined, faults, placeOf: () => ({}) };
  const tree = createTree(document, lineAt);
  return { ...tree.read(replace), placeOf: tree.placeOf };
}

const TOO_DEEP = `must be nested at most ${DEEPEST} levels deep`;

/** @property deepAt the offset of a value that is nested too deep: then there is no document */
interface Composed {
  document?: Document.Parsed<ParsedNode>;
  deepAt?: number;
}

/**
 * As `parseDocument` of the library, but stops at a value that is nested too deep: time and memory of the library grow with
 * the square of the depth, and 20 kB would need gigabytes.
 */
function compose(text: string, lines: LineCounter): Composed {
  const composer = new Composer({
    schema: "core",
    stringKeys: true,
    // The texts of pretty errors quote the file, which may contain secrets.
    prettyErrors: false,
    // A comparison of each key with all others is slow in a large map: the tree finds repeated keys itself.
    uniqueKeys: false,
  });
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > DEEPEST + OTHER_TOKENS) return { deepAt: parser.offset };
  }
  const [document, another] = composer.compose([...tokens, ...parser.end()], true, text.length);
  if (another) {
    const [start, end] = another.range;
    document?.errors.push(
      new YAMLParseError([start, end], "MULTIPLE_DOCS", "there is more than one document"),
    );
  }
  return document ? { document } : {};
}

/** Tokens on the stack of the parser that are no map or list: the document and a scalar. */
const OTHER_TOKENS = 2;

/** The text after a colon in the message may be a text of the file. */
function explained({ message }: YAMLError): SourceFault {
  const [reason = message] = message.replaceAll("`", '"').split(": ");
  return { path: "", message: `the YAML is not valid: ${reason}` };
}
