import { mostUsedFirst } from "../../../domain/overview/selection.ts";

/** The tags in a text, in which spaces or commas separate them. */
export function tagsIn(text: FormDataEntryValue | null): string[] {
  const tags = String(text ?? "").split(/[\s,]+/);
  return [...new Set(tags)].filter((tag) => tag !== "");
}

/** Between two tags in the address. No tag can contain it. */
const SEPARATOR = ",";

/** The selected tags in the address, each once. */
export function parseTags(text: string | null): string[] {
  return [...new Set(text?.split(SEPARATOR).filter(Boolean))];
}

/** The text for the address if a tag is added to the selected ones or, if it is one of them, removed. */
export function toggleTag(selected: readonly string[], tag: string): string {
  const others = selected.filter((one) => one !== tag);
  return (others.length < selected.length ? others : [...selected, tag]).join(SEPARATOR);
}

interface Tagged {
  tags: readonly string[];
}

/** The tags of all monitors with the number of monitors that have them, most used first, then by name. */
export function countTags(monitors: readonly Tagged[]): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { tags } of monitors) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return mostUsedFirst(counts);
}
