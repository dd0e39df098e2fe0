import { MAX_TAGS } from "../domain/monitors/tags.ts";
import { oneLine, truncate } from "../domain/truncate.ts";

/** By ref, as in a configuration document. */
type Entries = Record<string, Record<string, unknown>>;

/** The document that an importer writes. Its texts already have placeholders and `$${`. */
export interface ImportedDocument {
  channels?: Entries;
  schedules?: Entries;
  reports?: Entries;
  defaults?: Record<string, unknown>;
  monitors?: Entries;
  maintenances?: Entries;
  pages?: Entries;
  history?: Entries;
}

/** A thing of another product that is not taken over, such as the monitor `Ping router`, and why. Neither text has a secret. */
export interface Omitted {
  what: string;
  why: string;
  /** For a monitor that is left out as a whole. @property type if stillup has no monitors of that type */
  lost?: { type?: string };
}

/** The result of an importer, which is a pure function of what it read (behavior 16.92). */
export interface Imported {
  document: ImportedDocument;
  /** How many monitors the other product has. */
  found: number;
  omitted: Omitted[];
  /** Sentences about what was taken over. */
  notes: string[];
  /** The variables of the placeholders for secrets: see `Secrets`. */
  secrets: string[];
}

/** The document of sections, without the empty ones. */
export function documentOf(sections: ImportedDocument): ImportedDocument {
  return Object.fromEntries(
    Object.entries(sections).filter(([, entries]) => Object.keys(entries).length > 0),
  );
}

/** Reports that something is not taken over. @param what the thing or a part of it, such as `client.oauth2` */
export type ReportOmission = (what: string, why: string) => void;

/** Collects what an importer says about the things that it read; the same only once. */
export interface Report {
  omit: ReportOmission;
  /** Reports that a monitor is left out. @param type if stillup has no monitors of that type */
  lose(what: string, why: string, type?: string): void;
  /** A sentence about what was taken over. */
  note(sentence: string): void;
  omitted(): Omitted[];
  notes(): string[];
}

export function createReport(): Report {
  const omitted = new Map<string, Omitted>();
  const lost: Omitted[] = [];
  const notes = new Set<string>();
  return {
    omit: (what, why) => void omitted.set(JSON.stringify([what, why]), { what, why }),
    lose: (what, why, type) => void lost.push({ what, why, lost: type === undefined ? {} : { type } }),
    note: (sentence) => void notes.add(sentence),
    omitted: () => [...lost, ...omitted.values()],
    notes: () => [...notes],
  };
}

const MAX_NAME = 100;

/**
 * Names a thing of another product in a message, such as `monitor "Shop"` or `monitor "Shop", proxy`.
 *
 * @param name as the other product has it: any text
 */
export function named(kind: string, name: string, part?: string): string {
  const thing = `${kind} ${JSON.stringify(truncate(oneLine(name), MAX_NAME))}`;
  return part === undefined ? thing : `${thing}, ${part}`;
}

const MAX = 50;

/** Letters that do not consist of one of the alphabet and an accent. */
const LETTERS: Record<string, string> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" },
};

/** A text as a tag of a monitor; undefined if no character of it can be in one. */
export function tagOf(text: string): string | undefined {
  const tag = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, (character) => LETTERS[character] ?? character)
    .replaceAll(/[^a-z0-9:_.-]+/g, "-")
    .replaceAll(/(?<=[:-])-+|-+(?=:)/g, "")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, MAX)
    .replace(/-+$/, "");
  return tag === "" ? undefined : tag;
}

/**
 * The tags of a monitor: each once, and no more than it may have.
 *
 * @param what the thing that has them, such as `monitor "Shop"`
 */
export function tagsOf(
  texts: readonly string[],
  { what, report }: { what: string; report: Report },
): string[] {
  const tags = texts.flatMap((text) => {
    const tag = tagOf(text);
    if (tag === undefined)
      report.omit(`${what}, tag ${JSON.stringify(text)}`, "a tag has letters, digits and : _ . -");
    else if (tag !== text.toLowerCase().replaceAll(/\s+/g, "-"))
      report.note(`the tag ${JSON.stringify(text)} is ${tag}`);
    return tag ?? [];
  });
  const all = [...new Set(tags)];
  if (all.length > MAX_TAGS)
    report.omit(
      `${what}, tags`,
      `a monitor has at most ${MAX_TAGS}: without ${all.slice(MAX_TAGS).join(", ")}`,
    );
  return all.slice(0, MAX_TAGS);
}

/* Reading of values that another product wrote and whose types are not known. */

/** An object; empty for anything else. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** The value of a JSON text; undefined for any other text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An array; empty for anything else. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Converts to text; removes unpaired surrogates. Undefined for an empty text, and for anything but texts, numbers and booleans. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value.toWellFormed() : undefined;
}

/** A whole number from `least` to `most`; undefined for anything else. */
export function integerOf(value: unknown, least: number, most: number): number | undefined {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
    ? Number(value)
    : undefined;
}

/** At most `max` characters of a text. */
export function cut(text: string, max: number): string {
  return [...text].slice(0, max).join("");
}

/** Decodes a part of a URL; a malformed one stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A name in a JSONPath (RFC 9535), in quotes. */
export function quotedName(name: string): string {
  return `'${name.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** A text as a pattern (RE2) that only it matches. */
export function quotedPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** A number that fits into limits: the nearest one. */
export function clamp(least: number, value: number, most: number): number {
  return Math.min(Math.max(least, value), most);
}
