/**
 * The records that the checks of a DNS monitor have seen, each with when it was last seen, in milliseconds since 1970:
 * those of the trailing 7 days, and those of the latest answer.
 */
export type DnsMemory = Record<string, number>;

const SPAN = 7 * 24 * 60 * 60 * 1000;

/** A name that answers anew each time must not fill the database. */
const MOST_REMEMBERED = 500;

/** What still counts. The latest answer does however old it is: after a pause, the same answer is no change. */
export function recent(memory: DnsMemory, now: number): DnsMemory {
  const latest = new Set(latestOf(memory));
  const entries = Object.entries(memory);
  return Object.fromEntries(entries.filter(([record, seen]) => now - seen <= SPAN || latest.has(record)));
}

export function remember(records: Iterable<string>, known: DnsMemory | null, now: number): DnsMemory {
  const seenNow = Object.fromEntries([...records].map((record) => [record, now]));
  const newestFirst = Object.entries({ ...known, ...seenNow }).sort(([, a], [, b]) => b - a);
  return Object.fromEntries(newestFirst.slice(0, MOST_REMEMBERED));
}

/** The records of the latest answer. */
export function latestOf(memory: DnsMemory): string[] {
  const newest = Math.max(...Object.values(memory));
  return Object.keys(memory).filter((record) => memory[record] === newest);
}
