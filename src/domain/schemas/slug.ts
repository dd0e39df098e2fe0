/** Most characters of a slug. */
export const LONGEST_SLUG = 63;

const SLUG = new RegExp(`^[a-z0-9-]{1,${LONGEST_SLUG}}$`);

/** Whether a text can be the slug of a page (behavior 15.3). */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}
