import { sha256 } from "@noble/hashes/sha2.js";
import type { Status } from "../monitors/status.ts";
import { isIP } from "../network/client-address.ts";
import {
  canonical,
  type Detail,
  type DnsAnswer,
  type Lookup,
  type LookupFailure,
  type RecordType,
} from "./observation.ts";

export interface JudgedAnswer {
  status: Status;
  detail: Detail;
  memory: DnsMemory | null;
}

const messages: Record<LookupFailure, (name: string, types: string) => string> = {
  nxdomain: (name) => `${name} does not exist in the DNS (NXDOMAIN)`,
  no_data: (name, types) => `${name} exists in the DNS, but has no ${types} record`,
  servfail: (name) => `the DNS server could not find an answer for ${name} (SERVFAIL)`,
  refused: (name) => `the DNS server refused to answer for ${name} (REFUSED)`,
  error: (name) => `the DNS server returned an error for ${name}`,
  malformed: (name) => `the DNS server returned a malformed answer for ${name}`,
  timeout: (name) => `the DNS gave no answer for ${name} after two attempts`,
};

/** Which records a config expects, in one way at most (behavior 4.9, 4.24 to 4.26). */
export interface ExpectedRecords {
  expected?: string[];
  expectedAny?: string[];
  expectedContains?: string[];
}

/**
 * Judges the answer of a DNS check (behavior 4.4 to 4.11, 4.24 to 4.26): `missing` without any record, unless none is expected;
 * `changed` with a value that no check of the trailing 7 days has seen or, if records are expected, with a difference from
 * these; otherwise `present`.
 *
 * @param memory null before the first answer, which is `present`
 */
export function judgeAnswer(
  answer: DnsAnswer,
  expectation: ExpectedRecords,
  memory: DnsMemory | null,
  now: number,
): JudgedAnswer {
  const { lookups } = answer;
  const values = lookups.flatMap((lookup) => lookup.values);
  const isNoneExpected = expectation.expected?.length === 0;
  if (values.length === 0 && !(isNoneExpected && !lookups.some(isUnanswered)))
    return { status: "missing", detail: absence(answer, { isNoneExpected }), memory };
  const records = recordsOf(lookups);
  const types = answeredNow(lookups);
  const known = memory ? recent(memory, now) : { seen: {}, values: {} };
  const deviation = deviationFrom(expectation, lookups, records);
  const { added, gone, unnamed } = deviation ?? {
    added: unseen(records, known),
    ...goneFrom(records, types, known),
  };
  const changed = added.length > 0 || (deviation !== undefined && gone.length > 0);
  return {
    status: changed ? "changed" : "present",
    detail: {
      values,
      added,
      gone,
      ...(unnamed > 0 && { omitted: { gone: unnamed } }),
      ...failuresOf(lookups),
    },
    memory: remember({ records, types }, known, now),
  };
}

/** @returns undefined if a config expects no certain records */
function deviationFrom(
  { expected, expectedAny, expectedContains }: ExpectedRecords,
  lookups: Lookup[],
  records: Map<string, string>,
): Change | undefined {
  if (expected) return difference(records, expectedRecords(lookups, expected));
  if (expectedAny) return withoutAny(records, expectedRecords(lookups, expectedAny));
  return expectedContains && withoutSome(lookups, expectedContains);
}

/** The change if an answer has none of the listed records. */
function withoutAny(found: Map<string, string>, listed: Map<string, string>): Change {
  const isMet = listed.size === 0 || listed.keys().some((record) => found.has(record));
  return isMet ? NO_CHANGE : difference(found, listed);
}

/** The texts that no record contains, of the record types that were answered. Any other records may be there. */
function withoutSome(lookups: Lookup[], texts: string[]): Change {
  const answered = answeredNow(lookups);
  const isThere = (text: string) => {
    const type = typeOf(lookups, text);
    const values = lookups.flatMap((lookup) => (lookup.recordType === type ? lookup.values : []));
    return !answered.has(type) || values.some((value) => isPartOf(value, { type, text }));
  };
  return { ...NO_CHANGE, gone: texts.filter((text) => !isThere(text)) };
}

/** An address is a whole record: 192.0.2.1 is no part of 192.0.2.10. */
function isPartOf(value: string, { type, text }: { type: RecordType; text: string }): boolean {
  const record = canonical(type, value);
  if ((type === "A" || type === "AAAA") && isIP(text)) return canonical(type, text) === record;
  const readings = type === "TXT" ? [text, contentOf(text)] : [canonical(type, text)];
  return readings.some((reading) => record.includes(reading));
}

/** The canonical values of an answer, by the keys of their records. */
function recordsOf(lookups: Lookup[]): Map<string, string> {
  return new Map(
    lookups.flatMap(({ recordType, values }) => values.map((value) => entry(recordType, value))),
  );
}

/** The expected values of the record types that were answered (behavior 4.10). */
function expectedRecords(lookups: Lookup[], expected: string[]): Map<string, string> {
  const answered = answeredNow(lookups);
  const [only] = lookups.length === 1 ? lookups : [];
  const comparable = expected.filter((value) => answered.has(typeOf(lookups, value)));
  const seen = new Set(only?.values);
  return new Map(
    comparable.map((value) => {
      const type = typeOf(lookups, value);
      return entry(type, type === "TXT" && !seen.has(value) ? contentOf(value) : value);
    }),
  );
}

/** The record type of an expected value: the one that was asked for, or the type of an address. */
function typeOf(lookups: Lookup[], value: string): RecordType {
  const [only] = lookups.length === 1 ? lookups : [];
  return only?.recordType ?? (value.includes(":") ? "AAAA" : "A");
}

const QUOTED = /"((?:[^"\\]|\\.)*)"/gs;
const ESCAPED = /\\(\d{3}|.)/gs;

/**
 * The content of an expected TXT record that is written as quoted strings, as `dig` prints it, with a decimal number for each byte
 * that is not printable (behavior 4.13).
 */
function contentOf(value: string): string {
  if (!value.includes('"') || value.replaceAll(QUOTED, "").trim() !== "") return value;
  const content = value.matchAll(QUOTED).map(([, text = ""]) => text);
  return unescaped([...content].join(""));
}

/** @param text with escaped characters and bytes (RFC 1035, 5.1) */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  const bytes = latin1Of(text).replaceAll(ESCAPED, (_, escaped: string) =>
    escaped.length === 3 ? String.fromCharCode(Number(escaped) & 0xff) : escaped,
  );
  return decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** One character for each byte of UTF-8. */
function latin1Of(text: string): string {
  return Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** @property unnamed how many values are gone that were not kept in the memory */
interface Change {
  added: string[];
  gone: string[];
  unnamed: number;
}

const NO_CHANGE: Change = { added: [], gone: [], unnamed: 0 };

function difference(found: Map<string, string>, expected: Map<string, string>): Change {
  const without = (all: Map<string, string>, others: Map<string, string>) =>
    [...all].flatMap(([record, value]) => (others.has(record) ? [] : [value])).sort();
  return { added: without(found, expected), gone: without(expected, found), unnamed: 0 };
}

function unseen(records: Map<string, string>, known: DnsMemory): string[] {
  const types = answeredTypes(known);
  const isNew = (record: string) => types.has(recordTypeOf(record)) && !Object.hasOwn(known.seen, record);
  return [...records].flatMap(([record, value]) => (isNew(record) ? [value] : [])).sort();
}

/** The values of the latest answer that are not in this one, of the record types that were answered. */
function goneFrom(
  records: Map<string, string>,
  types: Set<string>,
  known: DnsMemory,
): Pick<Change, "gone" | "unnamed"> {
  const lost = latestOf(known).filter((record) => !records.has(record) && types.has(recordTypeOf(record)));
  const gone = lost.map((record) => known.values[record]).filter((value) => value !== undefined);
  return { gone: gone.sort(), unnamed: lost.length - gone.length };
}

function absence({ hostname, lookups }: DnsAnswer, { isNoneExpected }: { isNoneExpected: boolean }): Detail {
  const failed = lookups.filter((lookup) => lookup.failure !== null);
  const isWorst = isNoneExpected ? isUnanswered : ({ failure }: Lookup) => failure !== "no_data";
  const worst = failed.find(isWorst) ?? failed[0];
  const { failure: reason, alias, cause } = worst ?? { failure: "no_data" as const };
  const types = lookups.map(({ recordType }) => recordType).join(" or ");
  const about = alias === undefined ? hostname : `its target ${alias}`;
  const words = messages[reason](about, types) + (cause === undefined ? "" : `: ${cause}`);
  const message = alias === undefined ? words : `${hostname} is an alias, and ${words}`;
  return { reason, message, values: [], added: [], gone: [] };
}

function failuresOf(lookups: Lookup[]): Detail {
  const failed = lookups.filter(isUnanswered).map(({ recordType, failure }) => [recordType, failure]);
  return failed.length > 0 ? { failures: Object.fromEntries(failed) } : {};
}

function answeredNow(lookups: Lookup[]): Set<string> {
  return new Set(lookups.filter((lookup) => !isUnanswered(lookup)).map(({ recordType }) => recordType));
}

/** Whether a query has no answer. NXDOMAIN and no data are answers. */
function isUnanswered({ failure }: Lookup): boolean {
  return failure !== null && failure !== "nxdomain" && failure !== "no_data";
}

function entry(type: RecordType, value: string): [record: string, value: string] {
  return [recordOf(type, value), canonical(type, value)];
}

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
const decoder = new TextDecoder();

/** The key of a record. Values that are equal by `canonical` have equal keys. */
export function recordOf(type: RecordType, value: string): string {
  const digest = sha256(encoder.encode(canonical(type, value)));
  return `${type} ${digest.toBase64({ alphabet: "base64url" }).slice(0, DIGEST_LENGTH)}`;
}

/**
 * The memory without expired keys. The latest answer never expires: the same answer after a pause is no change
 * (behavior 4.8).
 */
function recent({ seen, values }: DnsMemory, now: number): DnsMemory {
  const newest = latestTime(seen);
  const entries = Object.entries(seen).filter(([, at]) => now - at <= SPAN || at === newest);
  return { seen: Object.fromEntries(entries), values };
}

/** @param records the values of this answer by key @param types the record types that were answered */
function remember(
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
function answeredTypes({ seen }: DnsMemory): Set<string> {
  return new Set(Object.keys(seen).map(recordTypeOf));
}

/** @param key of a record or of a record type */
function recordTypeOf(key: string): string {
  return key.split(" ", 1)[0] ?? "";
}

/** The keys of the records of the latest answer. */
function latestOf({ seen }: DnsMemory): string[] {
  const newest = latestTime(seen);
  return Object.keys(seen).filter((one) => seen[one] === newest && one.includes(" "));
}

function latestTime(seen: DnsMemory["seen"]): number {
  return Object.values(seen).reduce((latest, at) => Math.max(latest, at), Number.NEGATIVE_INFINITY);
}
