import type { Clock } from "../../clock.ts";
import { type ShownPage, showPage } from "../../domain/pages/show-page.ts";
import type { Store } from "../../store/store.ts";
import { type KeptHistory, readSettledHistory } from "./settled-history.ts";

/** @property readAt milliseconds since 1970 */
export interface ReadPage extends ShownPage {
  marker: string;
  history: KeptHistory;
  readAt: number;
}

interface PageReader {
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

/** Looks for the markers of pages: one query at a time, which looks for all slugs that wait. */
interface MarkerLookup {
  /** @returns undefined if no page with this slug is public */
  find(slug: string): Promise<string | undefined>;
}

type Lookup = PromiseWithResolvers<string | undefined>;

const MAX_AT_ONCE = 200;

/** After an error the database is not asked for this time, in milliseconds. */
const REST_AFTER_ERROR = 200;

function createMarkerLookup({
  store,
  clock,
}: {
  store: Pick<Store, "pages">;
  clock: Pick<Clock, "monotonic">;
}): MarkerLookup {
  const waiting = new Map<string, Lookup>();
  let isLooking = false;
  let failure: { error: unknown; until: number } | undefined;

  async function look(): Promise<void> {
    isLooking = true;
    while (waiting.size > 0) await answer(takeSome());
    isLooking = false;
  }

  function takeSome(): Map<string, Lookup> {
    const some = new Map([...waiting].slice(0, MAX_AT_ONCE));
    for (const slug of some.keys()) waiting.delete(slug);
    return some;
  }

  async function answer(asked: Map<string, Lookup>): Promise<void> {
    try {
      if (failure && clock.monotonic() < failure.until) throw failure.error;
      const markers = await store.pages.findMarkers([...asked.keys()]);
      for (const [slug, { resolve }] of asked) resolve(markers.get(slug));
    } catch (error) {
      if (failure?.error !== error) failure = { error, until: clock.monotonic() + REST_AFTER_ERROR };
      for (const { reject } of asked.values()) reject(error);
    }
  }

  return {
    find(slug) {
      const one = waiting.get(slug) ?? Promise.withResolvers<string | undefined>();
      waiting.set(slug, one);
      if (!isLooking) void look();
      return one.promise;
    },
  };
}
