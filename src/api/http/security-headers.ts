/** How long a browser remembers that a host is asked by HTTPS only, in seconds. */
const YEAR = 31_536_000;

/** Of every answer that has no other: an answer of the API is data, never a page, and nobody keeps it. */
const headers = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * HSTS holds for a host with all its ports, so it is sent only where the operator says that users reach the host itself
 * by HTTPS.
 *
 * @param publicUrl the base URL that was set, if any
 */
export function securityHeaders(publicUrl: string | undefined): Record<string, string> {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  if (url?.protocol !== "https:" || url.port !== "") return headers;
  return { ...headers, "strict-transport-security": `max-age=${YEAR}` };
}
