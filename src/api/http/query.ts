/** The query of a request. The whole URL cannot be parsed if the client sent an invalid `Host`, or none. */
export function queryOf({ url }: Request): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start));
}
