import { countTags, type Tagged } from "../data/count-tags.ts";

/** The tags in a text, in which spaces or commas separate them. */
export function tagsIn(text: FormDataEntryValue | null): string[] {
  const tags = String(text ?? "").split(/[\s,]+/);
  return [...new Set(tags)].filter((tag) => tag !== "");
}

/** All tags of some monitors, most used first, then by name. */
export function tagsOfMonitors(monitors: readonly Tagged[]): string[] {
  return countTags(monitors).map(({ tag }) => tag);
}
