import { hash } from "node:crypto";
import { canonical, type RecordType } from "./dns-record.ts";

/**
 * What the checks of a DNS monitor have seen. A record is known by its type and a digest of its value, as `A 8Gb3…`: a
 * value may have 64 kB.
 */
export interface DnsMemory {
  /**
   * When each was last seen, in milliseconds since 1970: records, and types of record that were answered, with or
   * without any, as `A`. Those of the trailing 7 days are in it, and those of the latest answer.
   */
  seen: Record<string, number>;
  /** The values of the latest answer, by record, to name those that are gone: as many as there is room for. */
  values: Record<string, string>;
}

const SPAN = 7 * 24 * 60 * 60 * 1000;

/** A name that answers anew each time must not fill the database. An answer that is larger is remembered whole. */
const MOST_REMEMBERED = 500;

/** In UTF-16 units: of one value, and of all. */
const LONGEST_VALUE = 255;
const MOST_TEXT = 16 * 1024;

/** As much of SHA-256 as nobody finds a second value for, in base64. */
const DIGEST_LENGTH = 22;

/** What stands for a value of some type. Equal for values that mean the same. */
export function recordOf(type: RecordType, value: string): string {
  const digest = hash("sha256", canonical(type, value), "base64url");
  return `${type} ${digest.slice(0, DIGEST_LENGTH)}`;
}

/** What still counts. The latest answer does however old it is: after a pause, the same answer is no change. */
export function recent({ seen, values }: DnsMemory, now: number): DnsMemory {
  const newest = latestTime(seen);
  const entries = Object.entries(seen).filter(([, at]) => now - at <= SPAN || at === newest);
  return { seen: Object.fromEntries(entries), values };
}

/** @param records the values of this answer, by record @param types that were answered */
export function remember(
  { records, types }: { records: Map<string, string>; types: Set<string> },
  known: DnsMemory,
  now: number,
): DnsMemory {
  const seenNow = new Set([...records.keys(), ...types]);
  const others = Object.entries(known.seen)
    .filter(([one]) => !seenNow.has(one))
    .sort(([, a], [, b]) => b - a)
    .slice(0, Math.max(0, MOST_REMEMBERED - seenNow.size));
  const latest = [...seenNow].map((one) => [one, now] as const);
  return { seen: Object.fromEntries([...latest, ...others]), values: named(records) };
}

function named(records: Map<string, string>): Record<string, string> {
  const values: Record<string, string> = {};
  let room = MOST_TEXT;
  for (const [record, value] of records) {
    // One more than a detail shows, so that it shows a cut.
    const text = value.slice(0, LONGEST_VALUE + 1);
    room -= text.length;
    if (room < 0) break;
    values[record] = text;
  }
  return values;
}

/** The types of record that were answered. */
export function answeredTypes({ seen }: DnsMemory): Set<string> {
  return new Set(Object.keys(seen).map(recordTypeOf));
}

export function recordTypeOf(seen: string): string {
  return seen.split(" ", 1)[0] ?? "";
}

/** The records of the latest answer. */
export function latestOf({ seen }: DnsMemory): string[] {
  const newest = latestTime(seen);
  return Object.keys(seen).filter((one) => seen[one] === newest && one.includes(" "));
}

function latestTime(seen: DnsMemory["seen"]): number {
  return Object.values(seen).reduce((latest, at) => Math.max(latest, at), Number.NEGATIVE_INFINITY);
}
