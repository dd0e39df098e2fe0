/**
 * What the checks of a DNS monitor have seen, each with when that was last, in milliseconds since 1970: records, as
 * `A 192.0.2.1`, and types of record that were answered, with or without any, as `A`. Those of the trailing 7 days are in
 * it, and those of the latest answer.
 */
export type DnsMemory = Record<string, number>;

const SPAN = 7 * 24 * 60 * 60 * 1000;

/** A name that answers anew each time must not fill the database. An answer that is larger is remembered whole. */
const MOST_REMEMBERED = 500;

/** What still counts. The latest answer does however old it is: after a pause, the same answer is no change. */
export function recent(memory: DnsMemory, now: number): DnsMemory {
  const latest = new Set(latestOf(memory));
  const entries = Object.entries(memory);
  return Object.fromEntries(entries.filter(([record, seen]) => now - seen <= SPAN || latest.has(record)));
}

export function remember(seen: Set<string>, known: DnsMemory, now: number): DnsMemory {
  const seenNow = Object.fromEntries([...seen].map((one) => [one, now]));
  const newestFirst = Object.entries({ ...known, ...seenNow }).sort(([, a], [, b]) => b - a);
  return Object.fromEntries(newestFirst.slice(0, Math.max(MOST_REMEMBERED, seen.size)));
}

/** The types of record that were answered. An older memory holds them only in its records. */
export function answeredTypes(memory: DnsMemory): Set<string> {
  return new Set(Object.keys(memory).map(recordTypeOf));
}

export function recordTypeOf(seen: string): string {
  return seen.split(" ", 1)[0] ?? "";
}

/** What was seen in the latest answer. */
export function latestOf(memory: DnsMemory): string[] {
  const newest = Math.max(...Object.values(memory));
  return Object.keys(memory).filter((record) => memory[record] === newest);
}
