import type { Tagged } from "../data/count-tags.ts";

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

/** Whether a monitor has all selected tags. */
export function hasTags({ tags }: Tagged, selected: readonly string[]): boolean {
  return selected.every((tag) => tags.includes(tag));
}
