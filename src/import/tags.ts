import { MAX_TAGS } from "../domain/monitors/tags.ts";

const MAX = 50;

/** A text as a tag of a monitor; undefined if no character of it can be in one. */
export function tagOf(text: string): string | undefined {
  const tag = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9:_.-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, MAX)
    .replace(/-+$/, "");
  return tag === "" ? undefined : tag;
}

/** The tags of a monitor: each once, and no more than it may have. */
export function tagsOf(texts: readonly string[]): string[] {
  const tags = texts.map(tagOf).filter((tag) => tag !== undefined);
  return [...new Set(tags)].slice(0, MAX_TAGS);
}
