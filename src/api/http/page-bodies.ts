import type { PublicPage } from "../../domain/pages/public-page.ts";
import type { PublicBody } from "./public-answer.ts";

type Kept = PublicBody | null | Promise<PublicBody | null>;

/**
 * The bodies that are created from a page, each at its first request. They are kept as long as the page, which is another
 * object as soon as anything on it changes.
 *
 * @param create null if the page has no such body; `key` says which one
 */
export function pageBodies<Key extends string>(create: (page: PublicPage, key: Key) => Kept) {
  const kept = new WeakMap<PublicPage, Map<Key, Kept>>();
  return (page: PublicPage, key: Key): Kept => {
    const bodies = kept.get(page) ?? new Map<Key, Kept>();
    kept.set(page, bodies);
    const known = bodies.get(key);
    if (known !== undefined) return known;
    const body = create(page, key);
    bodies.set(key, body);
    return body;
  };
}
