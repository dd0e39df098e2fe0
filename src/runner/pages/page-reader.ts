import type { Clock } from "../../clock.ts";
import type { PageFacts } from "../../domain/pages/page-facts.ts";
import { type ShownPage, showPage } from "../../domain/pages/show-page.ts";
import type { Store } from "../../store/store.ts";
import { createMarkerLookup } from "./marker-lookup.ts";

/** @property readAt milliseconds since 1970 */
export interface ReadPage extends ShownPage {
  marker: string;
  readAt: number;
}

export interface PageReader {
  /**
   * Reads a page, or only its marker if the known one is still right. A page that is equal to the known one is that object.
   *
   * @returns null if no page with this slug is public
   */
  read(slug: string, known: ReadPage | null | undefined): Promise<ReadPage | null>;
}

/** Pages are read one at a time, so that others do not wait for many at once. */
export function createPageReader({
  store,
  clock,
}: {
  store: Pick<Store, "pages">;
  clock: Pick<Clock, "now" | "monotonic">;
}): PageReader {
  const lookup = createMarkerLookup({ store, clock });
  let last: Promise<unknown> = Promise.resolve();

  function readFacts(slug: string): Promise<{ facts: PageFacts | null; now: number }> {
    const next = last.then(async () => {
      const now = clock.now();
      return { facts: await store.pages.readFacts(slug, now), now };
    });
    last = next.catch(() => {});
    return next;
  }

  return {
    async read(slug, known) {
      const marker = await lookup.find(slug);
      if (marker === undefined) return null;
      if (known?.marker === marker && isValid(known, clock.now())) return known;
      const { facts, now } = await readFacts(slug);
      if (!facts) return null;
      const { page, validUntil } = showPage(facts, now);
      const isEqual = known && Bun.deepEquals(known.page, page, true);
      return { page: isEqual ? known.page : page, validUntil, marker, readAt: now };
    },
  };
}

/** The clock may have been set back. */
function isValid({ readAt, validUntil }: ReadPage, now: number): boolean {
  return readAt <= now && now < validUntil;
}
