import type { Clock } from "../../clock.ts";
import { type ShownPage, showPage } from "../../domain/pages/show-page.ts";
import type { Store } from "../../store/store.ts";
import { createMarkerLookup } from "./marker-lookup.ts";
import { type KeptHistory, readSettledHistory } from "./settled-history.ts";

/** @property readAt milliseconds since 1970 */
export interface ReadPage extends ShownPage {
  marker: string;
  history: KeptHistory;
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
  store: Pick<Store, "pages" | "changes">;
  clock: Pick<Clock, "now" | "monotonic">;
}): PageReader {
  const lookup = createMarkerLookup({ store, clock });
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  }

  async function readAll(
    slug: string,
    known: ReadPage | null | undefined,
  ): Promise<Omit<ReadPage, "marker"> | null> {
    const now = clock.now();
    const facts = await store.pages.readFacts(slug, now);
    if (!facts) return null;
    const history = await readSettledHistory(store, facts, { known: known?.history, now });
    const { page, validUntil } = showPage(facts, history, now);
    const isEqual = known && Bun.deepEquals(known.page, page, true);
    return { page: isEqual ? known.page : page, validUntil, history, readAt: now };
  }

  return {
    async read(slug, known) {
      const marker = await lookup.find(slug);
      if (marker === undefined) return null;
      if (known?.marker === marker && isValid(known, clock.now())) return known;
      const read = await inTurn(() => readAll(slug, known));
      return read && { ...read, marker };
    },
  };
}

/** The clock may have been set back. */
function isValid({ readAt, validUntil }: ReadPage, now: number): boolean {
  return readAt <= now && now < validUntil;
}
