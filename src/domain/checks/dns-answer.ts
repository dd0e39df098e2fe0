import type { Status } from "../monitors/status.ts";
import type { DnsAnswer, Lookup, LookupFailure } from "./dns-lookup.ts";
import {
  answeredTypes,
  type DnsMemory,
  latestOf,
  recent,
  recordOf,
  recordTypeOf,
  remember,
} from "./dns-memory.ts";
import { canonical, type RecordType } from "./dns-record.ts";
import type { Detail } from "./observation.ts";

export interface JudgedAnswer {
  status: Status;
  detail: Detail;
  memory: DnsMemory | null;
}

const words: Record<LookupFailure, (name: string, types: string) => string> = {
  nxdomain: (name) => `${name} does not exist in the DNS (NXDOMAIN)`,
  no_data: (name, types) => `${name} exists in the DNS, but has no ${types} record`,
  servfail: (name) => `the DNS server could not find an answer for ${name} (SERVFAIL)`,
  refused: (name) => `the DNS server refuses to answer for ${name} (REFUSED)`,
  error: (name) => `the DNS server answers for ${name} with an error`,
  malformed: (name) => `the answer of the DNS server for ${name} can't be read`,
  timeout: (name) => `the DNS gave no answer for ${name}, asked twice`,
};

/**
 * What an answer says of a DNS monitor (decisions 3): `missing` without any record, `changed` with a value that no check
 * of the trailing 7 days has seen, or, where `expected` is given, with any difference from it; else `present`. The values
 * of a type that was never answered in that time are no change: they are the first that are known.
 *
 * @param memory null before the first answer, which is `present`
 */
export function judgeAnswer(
  answer: DnsAnswer,
  { expected }: { expected?: string[] },
  memory: DnsMemory | null,
  now: number,
): JudgedAnswer {
  const values = answer.lookups.flatMap((lookup) => lookup.values);
  if (values.length === 0) return { status: "missing", detail: absence(answer), memory };
  const records = recordsOf(answer.lookups);
  const types = answeredNow(answer.lookups);
  const known = memory ? recent(memory, now) : { seen: {}, values: {} };
  const { added, gone, unnamed } = expected
    ? difference(records, expectedRecords(answer.lookups, expected))
    : { added: unseen(records, known), ...goneFrom(records, types, known) };
  const changed = expected ? added.length + gone.length > 0 : added.length > 0;
  return {
    status: changed ? "changed" : "present",
    detail: {
      values,
      added,
      gone,
      ...(unnamed > 0 && { omitted: { gone: unnamed } }),
      ...failuresOf(answer.lookups),
    },
    memory: remember({ records, types }, known, now),
  };
}

/** The values of an answer by their records, in the form in which they are compared. */
function recordsOf(lookups: Lookup[]): Map<string, string> {
  return new Map(
    lookups.flatMap(({ recordType, values }) => values.map((value) => entry(recordType, value))),
  );
}

/** Of what is expected, only what belongs to the families that answered. */
function expectedRecords(lookups: Lookup[], expected: string[]): Map<string, string> {
  const answered = answeredNow(lookups);
  const [only] = lookups.length === 1 ? lookups : [];
  const typeOf = (value: string) => only?.recordType ?? (value.includes(":") ? "AAAA" : "A");
  const comparable = expected.filter((value) => answered.has(typeOf(value)));
  return new Map(comparable.map((value) => entry(typeOf(value), value)));
}

/** @property unnamed how many are gone whose values were too many to be remembered */
interface Change {
  added: string[];
  gone: string[];
  unnamed: number;
}

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

/** What the latest answer had and this one has not, where this one says anything of it. */
function goneFrom(
  records: Map<string, string>,
  types: Set<string>,
  known: DnsMemory,
): Pick<Change, "gone" | "unnamed"> {
  const lost = latestOf(known).filter((one) => !records.has(one) && types.has(recordTypeOf(one)));
  const gone = lost.map((record) => known.values[record]).filter((value) => value !== undefined);
  return { gone: gone.sort(), unnamed: lost.length - gone.length };
}

function absence({ hostname, lookups }: DnsAnswer): Detail {
  const failures = lookups.map(({ failure }) => failure).filter((failure) => failure !== null);
  const reason = failures.find((failure) => failure !== "no_data") ?? "no_data";
  const types = lookups.map(({ recordType }) => recordType).join(" or ");
  return { reason, message: words[reason](hostname, types), values: [], added: [], gone: [] };
}

function failuresOf(lookups: Lookup[]): Detail {
  const failed = lookups.filter(isUnanswered).map(({ recordType, failure }) => [recordType, failure]);
  return failed.length > 0 ? { failures: Object.fromEntries(failed) } : {};
}

function answeredNow(lookups: Lookup[]): Set<string> {
  return new Set(lookups.filter((lookup) => !isUnanswered(lookup)).map(({ recordType }) => recordType));
}

/** Whether nothing is known of the records of a type: unlike NXDOMAIN and no data, which are answers. */
function isUnanswered({ failure }: Lookup): boolean {
  return failure !== null && failure !== "nxdomain" && failure !== "no_data";
}

function entry(type: RecordType, value: string): [record: string, value: string] {
  return [recordOf(type, value), canonical(type, value)];
}
