/** By ref, as in a configuration document. */
type Entries = Record<string, Record<string, unknown>>;

/** What an importer writes: a configuration document, whose texts are already written with placeholders and `$${`. */
export interface ImportedDocument {
  channels?: Entries;
  defaults?: Record<string, unknown>;
  monitors?: Entries;
  maintenances?: Entries;
  pages?: Entries;
  history?: Entries;
}

/** What of another product's data has no place here, such as the monitor `Ping router`, and why. Neither has a secret. */
export interface LeftOut {
  what: string;
  why: string;
}

/** The result of an importer, which is a pure function of what it read (behavior 16.92). */
export interface Imported {
  document: ImportedDocument;
  left: LeftOut[];
  /** Sentences about what was taken over. */
  notes: string[];
  /** The variables of the placeholders for secrets: see `Secrets`. */
  secrets: string[];
}
