import { sha256 } from "@noble/hashes/sha2.js";
import { DAY, HOUR } from "../duration.ts";
import type { Expectations } from "./expectation-rules.ts";

/*
 * The memory of monitors of the contents that they watch (behavior 26.110 to 26.129): only digests and lengths. A value is usual, or
 * new: a new one is `changed` until somebody acknowledges an outage with it, or until it has been seen for `keepDays`. Times are
 * milliseconds since 1970.
 */

/** A watched part of an answer, such as `text` or `header:Name`. @property keepDays how long a value stays usual that no check sees */
export interface Watch {
  of: string;
  keepDays: number;
}

const DEFAULT_KEEP_DAYS = 7;

/** The part that `same` watches, and for how long a value stays usual (behavior 26.110). */
export function watchOf(same: NonNullable<Expectations["same"]>): Watch {
  const { of, keepDays = DEFAULT_KEEP_DAYS } = typeof same === "string" ? { of: same } : same;
  return { of, keepDays };
}

/** Why an answer does not have what is watched. */
const ABSENCES = {
  missing: "is missing",
  not_json: "can't be read: the body is not JSON",
  too_large: "can't be read: the body is larger than 1 MiB",
  too_many: "can't be read: the body has too many JSON values",
} as const;
export type Absence = keyof typeof ABSENCES;

/**
 * A value as a check saw it.
 *
 * @property digest of the value, or why there is none
 * @property length in bytes of a body, else in characters; null if there is no value
 */
export interface SeenContent {
  digest: string;
  length: number | null;
}

/** A value that checks saw. @property last when it was seen last, up to an hour ago @property since when it was seen first, if it is new */
interface KnownContent extends SeenContent {
  last: number;
  since?: number;
}

/** @property key of the watch: see `keyOf` @property values the latest first */
export interface ContentMemory {
  key: string;
  values: KnownContent[];
}

/** Bounds the memory of a content that is another one at each check. */
const MAX_VALUES = 50;

/** While the content stays, the memory is not written more often, in milliseconds. */
const REFRESHED_AFTER = HOUR;

const encoder = new TextEncoder();

/** Characters of a SHA-256 in base64url: 132 bits, enough that nobody finds a second value for a digest. */
export const DIGEST_LENGTH = 22;

/**
 * A content that a monitor watches.
 *
 * @property key identifies what is watched, and of which page: with another key, the first value is usual
 * @property step the name of its step, if the check has several
 */
export interface WatchedContent extends Watch {
  key: string;
  step?: string;
}

/** @param page that is requested */
export function keyOf(of: string, page: string): string {
  const digest = sha256(encoder.encode(`${of}\n${page}`));
  return digest.toBase64({ alphabet: "base64url" }).slice(0, DIGEST_LENGTH);
}

/** @property learns whether every value is usual: in a maintenance @property isWhole whether every address answered */
export interface ContentRules {
  now: number;
  learns: boolean;
  isWhole: boolean;
}

/**
 * The meaning of a check for the memory.
 *
 * @property memory the same object if nothing is to be written
 * @property changed a value that is not usual, if there is one
 * @property usual the usual value that was seen last
 * @property isNews whether no check has seen the changed value before, and the check before saw only usual ones
 */
export interface JudgedContent {
  memory: ContentMemory | undefined;
  changed?: SeenContent;
  usual?: SeenContent | undefined;
  isNews: boolean;
}

/** Judges what a check saw of a watched content. @param seen at each address */
export function judgeContent(
  before: ContentMemory | undefined,
  { key, keepDays }: Pick<WatchedContent, "key" | "keepDays">,
  seen: readonly SeenContent[],
  { now, learns, isWhole }: ContentRules,
): JudgedContent {
  const values = before?.values ?? [];
  const known = stillKnown(values, { keepDays, now });
  const usual = known.find(isUsual);
  // Another address may have another value: the first good check is one that reaches all of them.
  if (seen.length === 0 || (!usual && !learns && !isWhole)) return { memory: before, isNews: false };
  const sighted = distinct(seen).map((one) => sightingOf(one, known, { learns, keepDays, now }));
  const changed = sighted.find((one) => !isUsual(one));
  return {
    memory: isUnchanged(values, sighted, now) ? before : { key, values: remember(sighted, known) },
    ...(changed && { changed, usual }),
    isNews: changed?.since === now && latestOf(known).every(isUsual),
  };
}

function isUsual({ since }: KnownContent): boolean {
  return since === undefined;
}

type Aging = Pick<Watch, "keepDays"> & Pick<ContentRules, "now">;

/**
 * The values that have not expired. The latest usual one never does: after a pause, the same page is no other one. After the clock was
 * set back, times are before now.
 */
function stillKnown(values: readonly KnownContent[], { keepDays, now }: Aging): KnownContent[] {
  const latestUsual = Math.max(...values.filter(isUsual).map(({ last }) => last));
  return values
    .filter((one) => now - one.last <= keepDays * DAY || (isUsual(one) && one.last === latestUsual))
    .map((one) => ({
      ...one,
      last: Math.min(one.last, now - 1),
      ...(one.since !== undefined && { since: Math.min(one.since, now) }),
    }));
}

function sightingOf(
  { digest, length }: SeenContent,
  known: readonly KnownContent[],
  { learns, keepDays, now }: Aging & Pick<ContentRules, "learns">,
): KnownContent {
  const old = known.find((one) => one.digest === digest);
  const since = old ? old.since : now;
  const isFirst = length !== null && !known.some(isUsual);
  const isLearned = learns || isFirst || since === undefined || now - since >= keepDays * DAY;
  return { digest, length, last: now, ...(!isLearned && { since }) };
}

function distinct(seen: readonly SeenContent[]): SeenContent[] {
  return [...new Map(seen.map((one) => [one.digest, one])).values()];
}

/** The values of the latest check: only they have the latest time. */
function latestOf(values: readonly KnownContent[]): KnownContent[] {
  const latest = Math.max(...values.map(({ last }) => last));
  return values.filter(({ last }) => last === latest);
}

function isUnchanged(before: readonly KnownContent[], seen: readonly KnownContent[], now: number): boolean {
  const latest = latestOf(before);
  const age = now - (latest[0]?.last ?? 0);
  const isEqual = (one: KnownContent) =>
    latest.some(({ digest, since }) => digest === one.digest && since === one.since);
  return age >= 0 && age < REFRESHED_AFTER && latest.length === seen.length && seen.every(isEqual);
}

/** The latest first. If there are too many, usual values are kept rather than new ones. */
function remember(seen: readonly KnownContent[], known: readonly KnownContent[]): KnownContent[] {
  const others = known.filter(({ digest }) => !seen.some((one) => one.digest === digest));
  const room = Math.max(0, MAX_VALUES - seen.length);
  const kept = new Set(others.toSorted(usualFirst).slice(0, room));
  return [...seen, ...others.filter((one) => kept.has(one))];
}

function usualFirst(one: KnownContent, other: KnownContent): number {
  return Number(isUsual(other)) - Number(isUsual(one)) || other.last - one.last;
}

/**
 * The memory after somebody acknowledged an outage: the new values that were seen last are usual, if they are the latest ones, or were
 * seen in the outage.
 *
 * @param startedAt when the outage began
 * @returns the same object if nothing changes
 */
export function acceptContent(memory: ContentMemory, startedAt: number): ContentMemory {
  const isNew = (one: KnownContent) => !isUsual(one);
  const present = latestOf(memory.values);
  const accepted = latestOf(memory.values.filter(isNew)).filter(
    (one) => present.includes(one) || one.last >= startedAt,
  );
  if (accepted.length === 0) return memory;
  const values = memory.values.map((one) => {
    const { since: _, ...usual } = one;
    return accepted.includes(one) ? usual : one;
  });
  return { ...memory, values };
}

/** A change, in words without any content. @param usual the usual value that was seen last, if there is one */
export function describeChange(
  { of, step }: Pick<WatchedContent, "of" | "step">,
  changed: SeenContent,
  usual: SeenContent | undefined,
): string {
  const name = step === undefined ? nameOf(of) : `${step}: ${nameOf(of)}`;
  const before = usual?.length ?? null;
  const unit = of === "body" ? "bytes" : "characters";
  const had = before === null ? "" : `, where it had ${counted(before)} ${unit}`;
  if (changed.length === null)
    return `${name} ${ABSENCES[changed.digest as Absence] ?? ABSENCES.missing}${had}`;
  const has = `it has ${counted(changed.length)} ${unit}`;
  if (before === null) return `${name} is no longer missing: ${has}`;
  return changed.length === before
    ? `${name} changed: it still has ${counted(before)} ${unit}`
    : `${name} changed: ${has} instead of ${counted(before)}`;
}

function nameOf(of: string): string {
  const { part, name } = partOf(of);
  switch (part) {
    case "body":
      return "the body";
    case "text":
      return "the visible text";
    case "header":
      return `the header ${name}`;
    default:
      return name;
  }
}

/** The part of an answer that is watched. @property name of a header, or the path of a JSON value; else empty */
export interface WatchedPart {
  part: "body" | "text" | "json" | "header";
  name: string;
}

/** @param of in the form of a config */
export function partOf(of: string): WatchedPart {
  const [, part = of, name = ""] = /^(json|header):(.*)$/s.exec(of) ?? [];
  return { part: part as WatchedPart["part"], name };
}

function counted(count: number): string {
  return count.toLocaleString("en-US");
}
