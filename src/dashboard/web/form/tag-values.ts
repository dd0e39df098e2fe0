/** The tags in a text, in which spaces or commas separate them. */
export function tagsIn(text: FormDataEntryValue | null): string[] {
  const tags = String(text ?? "").split(/[\s,]+/);
  return [...new Set(tags)].filter((tag) => tag !== "");
}

/** All tags of some monitors, the most frequent ones first. */
export function tagsOfMonitors(monitors: readonly { tags: readonly string[] }[]): string[] {
  const counts = new Map<string, number>();
  for (const tag of monitors.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a.localeCompare(b));
}
