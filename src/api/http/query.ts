/** Without a look at the rest of the URL: a client may send a `Host` that makes it none, or no `Host` at all. */
export function queryOf({ url }: Request): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start));
}
