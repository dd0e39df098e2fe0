import { MAX_TAGS } from "../domain/monitors/tags.ts";
import type { Report } from "./imported.ts";

const MAX = 50;

/** Letters that do not consist of one of the alphabet and an accent. */
const LETTERS: Record<string, string> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" },
};

/** A text as a tag of a monitor; undefined if no character of it can be in one. */
export function tagOf(text: string): string | undefined {
  const tag = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, (character) => LETTERS[character] ?? character)
    .replaceAll(/[^a-z0-9:_.-]+/g, "-")
    .replaceAll(/(?<=[:-])-+|-+(?=:)/g, "")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, MAX)
    .replace(/-+$/, "");
  return tag === "" ? undefined : tag;
}

/**
 * The tags of a monitor: each once, and no more than it may have.
 *
 * @param what the thing that has them, such as `monitor "Shop"`
 */
export function tagsOf(
  texts: readonly string[],
  { what, report }: { what: string; report: Report },
): string[] {
  const tags = texts.flatMap((text) => {
    const tag = tagOf(text);
    if (tag === undefined)
      report.omit(`${what}, tag ${JSON.stringify(text)}`, "a tag has letters, digits and : _ . -");
    else if (tag !== text.toLowerCase().replaceAll(/\s+/g, "-"))
      report.note(`the tag ${JSON.stringify(text)} is ${tag}`);
    return tag ?? [];
  });
  const all = [...new Set(tags)];
  if (all.length > MAX_TAGS)
    report.omit(
      `${what}, tags`,
      `a monitor has at most ${MAX_TAGS}: without ${all.slice(MAX_TAGS).join(", ")}`,
    );
  return all.slice(0, MAX_TAGS);
}
