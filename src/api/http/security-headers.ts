/** How long a browser uses only HTTPS for the host, in seconds. */
const YEAR = 31_536_000;

/** The default headers of responses (behavior 8.19): data that is not a page and must not be cached. */
const headers = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * HSTS applies to all ports of a host. Therefore it is sent only if the base URL is HTTPS without a port.
 *
 * @param publicUrl the base URL of the settings, if it is set
 */
export function securityHeaders(publicUrl: string | undefined): Record<string, string> {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  if (url?.protocol !== "https:" || url.port !== "") return headers;
  return { ...headers, "strict-transport-security": `max-age=${YEAR}` };
}
