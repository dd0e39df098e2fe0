import type { Clock } from "../../clock.ts";
import type { Store } from "../../store/store.ts";

/** Looks for the markers of pages: one query at a time, which looks for all slugs that wait. */
export interface MarkerLookup {
  /** @returns undefined if no page with this slug is public */
  find(slug: string): Promise<string | undefined>;
}

type Waiting = PromiseWithResolvers<string | undefined>;

const MOST_AT_ONCE = 200;

/** After an error the database is not asked for this time, in milliseconds. */
const REST_AFTER_ERROR = 200;

export function createMarkerLookup({
  store,
  clock,
}: {
  store: Pick<Store, "pages">;
  clock: Pick<Clock, "monotonic">;
}): MarkerLookup {
  const waiting = new Map<string, Waiting>();
  let isLooking = false;
  let failure: { error: unknown; until: number } | undefined;

  async function look(): Promise<void> {
    isLooking = true;
    while (waiting.size > 0) await answer(takeSome());
    isLooking = false;
  }

  function takeSome(): Map<string, Waiting> {
    const some = new Map([...waiting].slice(0, MOST_AT_ONCE));
    for (const slug of some.keys()) waiting.delete(slug);
    return some;
  }

  async function answer(asked: Map<string, Waiting>): Promise<void> {
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
