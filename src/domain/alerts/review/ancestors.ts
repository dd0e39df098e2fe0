/**
 * The monitors that a monitor depends on, directly or not, each once: the nearest first, and equally near ones in the order of
 * their numbers (behavior 14.10).
 *
 * @param dependsOn the numbers of the monitors that each depends on, by its number
 */
export function ancestorsOf(pk: number, dependsOn: ReadonlyMap<number, readonly number[]>): number[] {
  const found = new Set([pk]);
  let level = [pk];
  while (level.length > 0) {
    const next = new Set(level.flatMap((one) => dependsOn.get(one) ?? []));
    level = [...next.difference(found)].toSorted((a, b) => a - b);
    for (const one of level) found.add(one);
  }
  found.delete(pk);
  return [...found];
}
