export interface Tagged {
  tags: readonly string[];
}

/** The tags of all monitors with the number of monitors that have them, most used first, then by name. */
export function countTags(monitors: readonly Tagged[]): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { tags } of monitors) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1));
}
