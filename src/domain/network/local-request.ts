import { isIPv4 } from "./client-address.ts";

/**
 * The signs of whether a request comes from a browser on the machine of the server.
 *
 * @property peer the other end of the connection
 * @property host the header `Host` @property page the origin of the page that asks, as it says itself
 * @property baseUrl the base URL of the settings, if it is set
 */
export interface RequestPlace {
  peer: string;
  headers: Pick<Headers, "has">;
  host: string | null;
  page: string | null;
  baseUrl: string | undefined;
}

/** Headers that proxies add. */
const FORWARDED = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Whether a request comes from a browser on the machine of the server (behavior 16.338). Behind a reverse proxy on that machine, the
 * requests of everybody come from there, and the proxy may add no header: so the address that the browser shows must be one of
 * the machine too, and the server must not be public.
 */
export function isLocalRequest({ peer, headers, host, page, baseUrl }: RequestPlace): boolean {
  if (FORWARDED.some((name) => headers.has(name))) return false;
  const urls = [`http://${host}`, page ?? "", ...(baseUrl === undefined ? [] : [baseUrl])];
  return isLoopback(peer.replace(/^::ffff:/i, "")) && urls.every((url) => isLoopback(hostOf(url)));
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[|\]$/g, "") ?? "";
}

/** @param host a name, or an address without brackets */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

/** Whether nobody on the way can change the answer of a URL: HTTPS without a user, or HTTP on this machine. */
export function isSecureUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(hostOf(text)));
}
