/** The lengths of sessions, in milliseconds (behavior 8.11, 8.100). */
const HOUR = 60 * 60 * 1000;
const LENGTH = 12 * HOUR;
const KEPT_LENGTH = 30 * 24 * HOUR;

/**
 * The end of a session that begins now: after 12 hours, or 30 days if the reader wants to keep it, or with its key if that ends
 * earlier. Milliseconds since 1970.
 */
export function sessionEnd(key: { expiresAt: number | null }, isKept: boolean, now: number): number {
  return Math.min(now + (isKept ? KEPT_LENGTH : LENGTH), key.expiresAt ?? Number.POSITIVE_INFINITY);
}

/** The headers with which a browser says where a request comes from. A page cannot forge them. */
export interface RequestSource {
  /** The header `Sec-Fetch-Site`. Browsers send it only over HTTPS and to localhost. */
  site: string | null;
  /** The header `Origin`. */
  origin: string | null;
  /** The header `Host`. */
  host: string | null;
}

/**
 * Whether a request comes from a page of this server, from another page, or from no page (behavior 8.14).
 *
 * @param baseUrl the URL of this server for users, because a reverse proxy may have changed `Host`
 */
export function sourceOf(
  { site, origin, host }: RequestSource,
  baseUrl: string,
): "own" | "foreign" | "unknown" {
  if (site !== null) return site === "same-origin" ? "own" : "foreign";
  if (origin === null) return "unknown";
  const url = URL.parse(origin);
  if (!url) return "foreign";
  const own = URL.parse(baseUrl);
  // Whoever controls the network can answer for any page of plain HTTP.
  if (own?.protocol === "https:" && url.protocol !== "https:") return "foreign";
  return url.host === host || url.origin === own?.origin ? "own" : "foreign";
}
