/** How long a session lasts, in milliseconds. */
const LENGTH = 12 * 60 * 60 * 1000;

/** When a session that begins now ends: with its key, where that ends sooner. Milliseconds since 1970. */
export function sessionEnd(key: { expiresAt: number | null }, now: number): number {
  return Math.min(now + LENGTH, key.expiresAt ?? Number.POSITIVE_INFINITY);
}

/** Where a request says that it comes from; browsers tell it, and no page can make them lie. */
export interface RequestSource {
  /** The header `Sec-Fetch-Site`: only sent to HTTPS and to this machine. */
  site: string | null;
  /** The header `Origin`. */
  origin: string | null;
  /** The header `Host`. */
  host: string | null;
}

/**
 * Whether a request comes from a page of ours, from another's, or from no page at all.
 *
 * @param baseUrl where users reach the server: what a reverse proxy may have written over in `Host`
 */
export function sourceOf(
  { site, origin, host }: RequestSource,
  baseUrl: string,
): "own" | "foreign" | "unknown" {
  if (site !== null) return site === "same-origin" ? "own" : "foreign";
  if (origin === null) return "unknown";
  const url = URL.parse(origin);
  if (!url) return "foreign";
  return url.host === host || url.origin === URL.parse(baseUrl)?.origin ? "own" : "foreign";
}
