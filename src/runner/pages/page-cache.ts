import type { ReadPage } from "./page-reader.ts";

/** The cached page with one slug. */
export interface CachedPage {
  /** Null if there is no public page; undefined until the first answer of the database. */
  read: ReadPage | null | undefined;
  /** When the database was last asked with success, by the monotonic clock. */
  confirmedAt: number;
  /** Rejects if the database does not answer in time. Undefined while it is not asked. */
  refresh: Promise<void> | undefined;
}

/** The pages that are kept in memory; those that were refreshed last stay. */
export interface PageCache {
  find(slug: string): CachedPage | undefined;
  /** Adds it, or makes it the last one that was refreshed. */
  keep(slug: string, kept: CachedPage): void;
}

const MAX_PAGES = 1000;

/** Slugs without a public page. They need little memory, but anybody may ask for any. */
const MAX_UNKNOWN = 10_000;

export function createPageCache(): PageCache {
  const pages = new Map<string, CachedPage>();
  const unknown = new Map<string, CachedPage>();
  return {
    find: (slug) => pages.get(slug) ?? unknown.get(slug),
    keep(slug, kept) {
      pages.delete(slug);
      unknown.delete(slug);
      if (kept.read) add(pages, slug, { kept, most: MAX_PAGES });
      else add(unknown, slug, { kept, most: MAX_UNKNOWN });
    },
  };
}

function add(
  all: Map<string, CachedPage>,
  slug: string,
  { kept, most }: { kept: CachedPage; most: number },
): void {
  all.set(slug, kept);
  // A `Map` keeps the order of the additions.
  for (const oldest of all.keys()) {
    if (all.size <= most) return;
    all.delete(oldest);
  }
}
