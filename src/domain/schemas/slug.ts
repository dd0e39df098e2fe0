const SLUG = /^[a-z0-9-]{1,63}$/;

/** Whether a text can be the slug of a page (behavior 15.3). */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}
