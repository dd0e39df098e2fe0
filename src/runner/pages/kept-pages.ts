import type { ReadPage } from "./page-reader.ts";

/** What is known of the page with one slug. */
export interface KeptPage {
  /** Null if there is no public page; undefined until the first answer of the database. */
  read: ReadPage | null | undefined;
  /** When the database was last asked with success, by the monotonic clock. */
  confirmedAt: number;
  /** Rejects if the database does not answer in time. Undefined while it is not asked. */
  refresh: Promise<void> | undefined;
}

/** The pages that are kept in memory; those that were refreshed last stay. */
export interface KeptPages {
  find(slug: string): KeptPage | undefined;
  /** Adds it, or makes it the last one that was refreshed. */
  keep(slug: string, kept: KeptPage): void;
}

const MOST_PAGES = 1000;

/** Slugs without a public page. They need little memory, but anybody may ask for any. */
const MOST_UNKNOWN = 10_000;

export function createKeptPages(): KeptPages {
  const pages = new Map<string, KeptPage>();
  const unknown = new Map<string, KeptPage>();
  return {
    find: (slug) => pages.get(slug) ?? unknown.get(slug),
    keep(slug, kept) {
      pages.delete(slug);
      unknown.delete(slug);
      if (kept.read) add(pages, slug, { kept, most: MOST_PAGES });
      else add(unknown, slug, { kept, most: MOST_UNKNOWN });
    },
  };
}

function add(
  all: Map<string, KeptPage>,
  slug: string,
  { kept, most }: { kept: KeptPage; most: number },
): void {
  all.set(slug, kept);
  // The order of a `Map` is that of the additions.
  for (const oldest of all.keys()) {
    if (all.size <= most) return;
    all.delete(oldest);
  }
}
