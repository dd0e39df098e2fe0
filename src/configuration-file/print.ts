import { Document, isMap, isPair, isScalar, type Pair, type Scalar, visit } from "yaml";
import { partsOf } from "../domain/configuration/placeholder.ts";
import { printHistory } from "./history-lines.ts";

export interface PrintOptions {
  /** The names of variables that are secrets: the comment says so. */
  secrets?: Iterable<string>;
  /** Lines of a comment at the top. */
  head?: readonly string[];
}

/** Characters of a list or map that is written in one line. */
const SHORT = 60;

/**
 * A configuration document as YAML, in the order of its fields (behavior 16.74).
 *
 * @param document its texts are as in a file: a `${NAME}` is a placeholder, which gets a comment
 */
export function printConfiguration(
  { history, ...document }: { history?: object },
  { secrets = [], head = [] }: PrintOptions = {},
): string {
  const top = head.length > 0 ? `${head.map((line) => `# ${line}`).join("\n")}\n\n` : "";
  const hasMore = Object.keys(document).length > 0 || !history;
  const sections = hasMore ? [printSections(document, new Set(secrets))] : [];
  return top + [...sections, ...(history ? [printHistory(history)] : [])].join("\n");
}

function printSections(document: object, secrets: ReadonlySet<string>): string {
  // Texts that YAML 1.1 reads as something else, such as `on`, are quoted too, because other programs read YAML 1.1.
  const yaml = new Document(document, { compat: "yaml-1.1", aliasDuplicateObjects: false });
  visit(yaml, {
    Seq(_, list) {
      list.flow = isShort(list.items);
    },
    Map(_, map, path) {
      map.flow = path.length > DEPTH_OF_FIELDS && isShort(map.items);
    },
    Scalar(key, scalar) {
      if (typeof scalar.value === "string" && isUnusual(scalar.value)) scalar.type = "QUOTE_DOUBLE";
      if (key !== "key") scalar.comment = commentOf(scalar, secrets);
    },
  });
  if (isMap(yaml.contents)) for (const section of yaml.contents.items.slice(1)) separate(section);
  return yaml.toString({
    lineWidth: 0,
    blockQuote: "literal",
    flowCollectionPadding: false,
    doubleQuotedAsJSON: true,
  });
}

/** The length of the path to a field of a config, which has the document, and the map and the pair of each level. */
const DEPTH_OF_FIELDS = 8;

/** Without comments, because what follows one is not in its line. */
function isShort(items: readonly unknown[]): boolean {
  const values = items.flatMap((item) => (isPair(item) ? [item.key, item.value] : [item]));
  const texts = values.map((value) => (isScalar(value) ? String(value.value) : null));
  const isPlain = texts.every((text) => text !== null && !text.includes("\n") && !text.includes("${"));
  return isPlain && texts.join(", ").length <= SHORT;
}

/** Whether a text is not one line, or lines as a program has them, of characters that can be seen. */
function isUnusual(text: string): boolean {
  return !/^[^\p{C}\p{Z}]([^\p{C}\p{Zl}\p{Zp}]|\n(?=[^\n]))*\n?$/u.test(text) || / \n| $/.test(text);
}

function commentOf({ value }: Scalar, secrets: ReadonlySet<string>): string | null {
  if (typeof value !== "string" || !value.includes("${")) return null;
  const names = partsOf(value).flatMap((part) => ("name" in part ? [part.name] : []));
  if (names.length === 0) return null;
  const what = names.some((name) => secrets.has(name)) ? "a secret: " : "";
  return ` ${what}set ${[...new Set(names)].join(", ")}`;
}

/** Puts an empty line before a section. */
function separate({ key }: Pair): void {
  if (isScalar(key)) key.spaceBefore = true;
}
