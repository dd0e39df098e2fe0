/**
 * The URL of a path of a service whose base address may have a path and a trailing slash (behavior 16.145).
 *
 * @param path begins with a slash; its parts are escaped already
 */
export function serviceUrl(base: string, path: string): string {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url.href;
}

/** A text as one segment of a path. The name of a user may contain half of a character, which cannot be escaped. */
export function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
