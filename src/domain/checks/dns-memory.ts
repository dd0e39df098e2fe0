import { sha256 } from "@noble/hashes/sha2.js";
import { canonical, type RecordType } from "./dns-record.ts";

/**
 * The memory of the checks of a DNS monitor (behavior 4.7, 4.8). The key of a record is its type and a digest of its
 * value, for example `A 8Gb3…`, because a value can have 64 kB.
 */
export interface DnsMemory {
  /**
   * When each key was seen last, in milliseconds since 1970. A key is a record, or a record type alone, such as `A`,
   * that was answered with or without records. Contains the trailing 7 days and the latest answer.
   */
  seen: Record<string, number>;
  /** The values of the latest answer by key, to list the values that are gone later. Limited by `MAX_TEXT_SIZE`. */
  values: Record<string, string>;
}

const SPAN = 7 * 24 * 60 * 60 * 1000;

/** Bounds the memory of a name whose every answer is new. A single answer that is larger is kept in full. */
const MAX_REMEMBERED = 500;

/** Limits in UTF-16 units, of one value and of all values. */
const MAX_VALUE_LENGTH = 255;
const MAX_TEXT_SIZE = 16 * 1024;

/** Characters of a SHA-256 in base64url: 132 bits, enough that nobody finds a second value for a digest. */
const DIGEST_LENGTH = 22;

const encoder = new TextEncoder();

/** The key of a record. Values that are equal by `canonical` have equal keys. */
export function recordOf(type: RecordType, value: string): string {
  const digest = sha256(encoder.encode(canonical(type, value)));
  return `${type} ${digest.toBase64({ alphabet: "base64url" }).slice(0, DIGEST_LENGTH)}`;
}

/**
 * The memory without expired keys. The latest answer never expires: the same answer after a pause is no change
 * (behavior 4.8).
 */
export function recent({ seen, values }: DnsMemory, now: number): DnsMemory {
  const newest = latestTime(seen);
  const entries = Object.entries(seen).filter(([, at]) => now - at <= SPAN || at === newest);
  return { seen: Object.fromEntries(entries), values };
}

/** @param records the values of this answer by key @param types the record types that were answered */
export function remember(
  { records, types }: { records: Map<string, string>; types: Set<string> },
  known: DnsMemory,
  now: number,
): DnsMemory {
  const seenNow = new Set([...records.keys(), ...types]);
  const others = Object.entries(known.seen)
    .filter(([one]) => !seenNow.has(one))
    .sort(([, a], [, b]) => b - a)
    .slice(0, Math.max(0, MAX_REMEMBERED - seenNow.size));
  const latest = [...seenNow].map((one) => [one, now] as const);
  return { seen: Object.fromEntries([...latest, ...others]), values: boundValues(records) };
}

function boundValues(records: Map<string, string>): Record<string, string> {
  const values: Record<string, string> = {};
  let room = MAX_TEXT_SIZE;
  for (const [record, value] of records) {
    // One more than a detail shows, so that the detail shows the ellipsis.
    const text = value.slice(0, MAX_VALUE_LENGTH + 1);
    room -= text.length;
    if (room < 0) break;
    values[record] = text;
  }
  return values;
}

/** The record types that were answered. */
export function answeredTypes({ seen }: DnsMemory): Set<string> {
  return new Set(Object.keys(seen).map(recordTypeOf));
}

/** @param key of a record or of a record type */
export function recordTypeOf(key: string): string {
  return key.split(" ", 1)[0] ?? "";
}

/** The keys of the records of the latest answer. */
export function latestOf({ seen }: DnsMemory): string[] {
  const newest = latestTime(seen);
  return Object.keys(seen).filter((one) => seen[one] === newest && one.includes(" "));
}

function latestTime(seen: DnsMemory["seen"]): number {
  return Object.values(seen).reduce((latest, at) => Math.max(latest, at), Number.NEGATIVE_INFINITY);
}
