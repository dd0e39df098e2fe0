import { oneLine, truncate } from "../domain/truncate.ts";

/** By ref, as in a configuration document. */
type Entries = Record<string, Record<string, unknown>>;

/** The document that an importer writes. Its texts already have placeholders and `$${`. */
export interface ImportedDocument {
  channels?: Entries;
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
