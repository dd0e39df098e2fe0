/** The query of a request. The whole URL cannot be parsed if the client sent an invalid `Host`, or none. */
export function queryOf({ url }: Request): URLSearchParams {
  const start = url.indexOf("?");
  return start < 0 ? NO_QUERY : new URLSearchParams(url.slice(start));
}

/** Shared, because it would be a twentieth of the time of a check-in: to be read only. */
const NO_QUERY = new URLSearchParams();
