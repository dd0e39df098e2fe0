/* Entries of readers that are not saved, in this browser, by the key of their session and the address of the form. */

/** The values of the controls with one name, in their order. @property before the values when the form was opened */
export interface DraftField {
  before: string[];
  now: string[];
}

export interface Draft {
  /** When it was last changed, in milliseconds since 1970. */
  at: number;
  /** The fields that were changed, by name. */
  fields: Record<string, DraftField>;
  /** How many rows each list of rows has, by name. */
  rows: Record<string, number>;
  /** Whether a secret was entered, which is not kept. */
  lacksSecrets: boolean;
}

/** By the ID of a person or an API key and the path of a form, with a space between them. */
export type Drafts = Record<string, Draft>;

/** `forgetDrafts` deletes it. */
const KEY = "drafts";

const WEEK = 7 * 24 * 3600 * 1000;

/** The drafts in a stored text, without drafts of more than a week ago. @param now milliseconds since 1970 */
export function parseDrafts(text: string | null, now: number): Drafts {
  try {
    const drafts: Drafts = JSON.parse(text ?? "{}");
    return Object.fromEntries(Object.entries(drafts).filter(([, { at }]) => now - at < WEEK));
  } catch {
    return {};
  }
}

export function readDraft(key: string): Draft | undefined {
  return readDrafts()[key];
}

/** @param draft undefined to delete it */
export function writeDraft(key: string, draft: Draft | undefined): void {
  const { [key]: _, ...others } = readDrafts();
  // A browser may block the storage of sites, and a full storage keeps what it has.
  try {
    localStorage.setItem(KEY, JSON.stringify(draft ? { ...others, [key]: draft } : others));
  } catch {}
}

/** A browser that blocks the storage of sites throws when it is read. */
function readDrafts(): Drafts {
  try {
    return parseDrafts(localStorage.getItem(KEY), Date.now());
  } catch {
    return {};
  }
}
