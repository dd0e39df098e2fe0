/** The parts of a scenario that are left out. All properties are optional. */
export interface Removed {
  /**
   * Paths of what is left out, such as `monitors/3`, `monitors/0-2` and `monitors/4/patience`. The numbers are places in the
   * scenario that the seed draws, whatever else is left out.
   */
  parts?: string[];
  /** The scenario begins or ends with this time, in ISO 8601, instead of its own. */
  from?: string;
  to?: string;
}

/** Names each removed part once: `monitors/0-2` is three of them. */
export function expanded(parts: readonly string[]): Set<string> {
  return new Set(
    parts.flatMap((part) => {
      const [, list = "", first, last] = /^(.*\/)(\d+)-(\d+)$/.exec(part) ?? [];
      if (first === undefined) return [part];
      const length = Number(last) - Number(first) + 1;
      return Array.from({ length }, (_, place) => `${list}${Number(first) + place}`);
    }),
  );
}

/** The same parts with as few names as possible. Parts of a part that is removed itself are left out. */
export function compacted(parts: readonly string[]): string[] {
  const all = new Set(parts);
  const isInside = (part: string) => {
    const steps = part.split("/");
    return steps.some((_, end) => end > 0 && end < steps.length && all.has(steps.slice(0, end).join("/")));
  };
  const outermost = [...all].filter((part) => !isInside(part));
  const numbered = outermost.filter((part) => /\/\d+$/.test(part));
  const lists = Map.groupBy(numbered, (part) => part.slice(0, part.lastIndexOf("/") + 1));
  return [
    ...[...lists].flatMap(([list, own]) => rangesOf(list, own)),
    ...outermost.filter((part) => !numbered.includes(part)),
  ];
}

function rangesOf(list: string, parts: readonly string[]): string[] {
  const ranges: { first: number; last: number }[] = [];
  for (const place of parts.map((part) => Number(part.slice(list.length))).sort((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range && range.last === place - 1) range.last = place;
    else ranges.push({ first: place, last: place });
  }
  return ranges.map(({ first, last }) => `${list}${first === last ? first : `${first}-${last}`}`);
}
