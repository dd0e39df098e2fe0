import { ProbeError } from "../probe-error.ts";
import type { Request } from "./request.ts";
import type { Head } from "./response-head.ts";

const FOLLOWED = new Set([301, 302, 303, 307, 308]);

export function isRedirect(statusCode: number): boolean {
  return FOLLOWED.has(statusCode);
}

/**
 * The request that a redirect leads to (RFC 9110, 15.4).
 *
 * @throws ProbeError `bad_redirect`; its message has no text of the server
 */
export function redirected({ url, method, hasBody }: Request, { statusCode, headers }: Head): Request {
  const locations = headers.filter(([name]) => name.toLowerCase() === "location");
  const [location, ...others] = new Set(locations.map(([, value]) => value));
  if (!location) throw badRedirect("has no Location", statusCode);
  if (others.length > 0) throw badRedirect("has two Locations", statusCode);
  // A header has one character for each byte, and servers write UTF-8.
  const next = URL.parse(Buffer.from(location, "latin1").toString(), url.href);
  if (!next) throw badRedirect("has a Location that is not a URL", statusCode);
  if (!/^https?:$/.test(next.protocol)) {
    throw badRedirect("leads to a URL that is neither http nor https", statusCode);
  }
  if (next.port === "0") throw badRedirect("leads to port 0", statusCode);
  return isGetNow(method, statusCode)
    ? { url: next, method: "GET", hasBody: false }
    : { url: next, method, hasBody };
}

function isGetNow(method: string, statusCode: number): boolean {
  return statusCode === 303 ? method !== "HEAD" : method === "POST" && statusCode < 303;
}

function badRedirect(what: string, statusCode: number): ProbeError {
  return new ProbeError("bad_redirect", `the redirect ${what}`, { statusCode });
}
