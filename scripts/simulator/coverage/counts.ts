/** How often worlds did each thing. */
export type Coverage = Map<string, number>;

export function sumOf(parts: readonly Coverage[]): Coverage {
  const sum: Coverage = new Map();
  for (const part of parts) for (const [name, count] of part) sum.set(name, (sum.get(name) ?? 0) + count);
  return sum;
}

/** Counts each of some names. */
export function counted(names: Iterable<string>): Coverage {
  const counts: Coverage = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
