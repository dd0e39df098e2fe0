import type { PublicPage } from "../../domain/pages/public-page.ts";
import type { PublicBody } from "./public-answer.ts";

/** A body, or null if there is none. */
export type FoundBody = PublicBody | null | Promise<PublicBody | null>;

/**
 * A cache of the bodies that are created from a page, each at its first request. It lasts as long as the page, which is another
 * object as soon as anything on it changes.
 *
 * @param create null if the page has no such body; `key` says which one
 * @param most bodies of one page; those that were created first are dropped
 */
export function cacheByPage<Key extends string, Body extends FoundBody>(
  create: (page: PublicPage, key: Key) => Body,
  most = Number.POSITIVE_INFINITY,
) {
  const cache = new WeakMap<PublicPage, Map<Key, Body>>();
  return (page: PublicPage, key: Key): Body => {
    const bodies = cache.get(page) ?? new Map<Key, Body>();
    cache.set(page, bodies);
    const cached = bodies.get(key);
    if (cached !== undefined) return cached;
    const body = create(page, key);
    bodies.set(key, body);
    // A `Map` keeps the order of the additions.
    for (const oldest of bodies.keys()) {
      if (bodies.size <= most) break;
      bodies.delete(oldest);
    }
    return body;
  };
}
