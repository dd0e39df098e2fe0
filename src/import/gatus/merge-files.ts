/** A key whose value two files define, and only lists and maps can be merged. */
export interface Conflict {
  /** Such as `alerting.slack.webhook-url`. */
  path: string;
}

/**
 * Merges the values of several files as Gatus does: maps are merged, lists are joined. Two different values of anything else
 * are a conflict; the first one counts.
 */
export function mergeFiles(values: readonly unknown[]): { value: unknown; conflicts: Conflict[] } {
  const conflicts: Conflict[] = [];
  const value = values.reduce((all, one) => merged(all, one, ""), undefined);
  return { value, conflicts };

  function merged(first: unknown, second: unknown, path: string): unknown {
    if (first === undefined || first === null) return second;
    if (second === undefined || second === null) return first;
    if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second];
    if (isMap(first) && isMap(second)) return mergedMaps(first, second, path);
    conflicts.push({ path });
    return first;
  }

  function mergedMaps(first: object, second: object, path: string): unknown {
    const all = new Map<string, unknown>(Object.entries(first));
    for (const [key, value] of Object.entries(second))
      all.set(key, merged(all.get(key), value, path === "" ? key : `${path}.${key}`));
    return Object.fromEntries(all);
  }
}

export function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
