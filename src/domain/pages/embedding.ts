/** Origins that may embed one page. */
export const MAX_ORIGINS = 10;

/** A policy is a list: other characters, such as `;`, would end it. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a text is the origin of a site that may embed a page: `http` only for this machine (behavior 17.25). */
export function isEmbedOrigin(text: string): boolean {
  const url = ORIGIN.test(text) ? URL.parse(text) : null;
  if (!url || url.origin !== text) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOCAL.test(url.hostname));
}
