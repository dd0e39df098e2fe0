import { sourceOf } from "../../domain/accounts/organization.ts";
import { basePathOf } from "../../domain/network/base-path.ts";
import { forbidden } from "../../errors.ts";

const NAME = "stillup_session";

/** The name over HTTPS. With this prefix, neither another subdomain nor plain HTTP can set the cookie. */
const SECURE_NAME = `__Host-${NAME}`;

/** The same below a path (behavior 26.164). Browsers accept the other name only for a whole host, whose other paths belong to others. */
const NAME_BELOW = `__Secure-${NAME}`;

/**
 * The value of the session cookie of a request, if there is one. With a base URL of HTTPS, only the cookie that neither another
 * subdomain nor plain HTTP can set.
 */
export function sessionToken(request: Request, baseUrl: string): string | undefined {
  const secure = cookieOf(request, basePathOf(baseUrl) === "" ? SECURE : SECURE_BELOW);
  return secure ?? (baseUrl.startsWith("https:") ? undefined : cookieOf(request, PLAIN));
}

/** Whether a request may have a session, valid or not. */
export function hasSessionCookie(request: Request): boolean {
  return isSecureSession(request) || cookieOf(request, PLAIN) !== undefined;
}

function isSecureSession(request: Request): boolean {
  return (cookieOf(request, SECURE) ?? cookieOf(request, SECURE_BELOW)) !== undefined;
}

/** The other cookies are not parsed: a header can have thousands. */
const SECURE = /(?:^|;)[ \t]*__Host-stillup_session=([^;]*)/;
const SECURE_BELOW = /(?:^|;)[ \t]*__Secure-stillup_session=([^;]*)/;
const PLAIN = /(?:^|;)[ \t]*stillup_session=([^;]*)/;

function cookieOf({ headers }: Request, pattern: RegExp): string | undefined {
  return pattern.exec(headers.get("cookie") ?? "")?.[1]?.trim();
}

/**
 * The `Set-Cookie` header that sets the session cookie. Its end is given as a time and as a duration, because the clock of the
 * browser may be wrong.
 *
 * @param expiresAt milliseconds since 1970, as `now`
 */
export function sessionCookie(
  token: string,
  { expiresAt, now, secure, baseUrl }: { expiresAt: number; now: number; secure: boolean; baseUrl: string },
): string {
  const expires = new Date(expiresAt);
  const maxAge = Math.ceil((expiresAt - now) / 1000);
  return cookie(token, { baseUrl, secure, expires, maxAge });
}

/** The `Set-Cookie` header that gives the session cookie of a request another end; undefined without a cookie. */
export function renewedSessionCookie(
  request: Request,
  ends: { expiresAt: number; now: number; baseUrl: string },
): string | undefined {
  const token = sessionToken(request, ends.baseUrl);
  return token === undefined
    ? undefined
    : sessionCookie(token, { ...ends, secure: isSecureSession(request) });
}

/** The `Set-Cookie` header that deletes the session cookie of a request. */
export function deletedSessionCookie(request: Request, baseUrl: string): string {
  return cookie("", { baseUrl, secure: isSecureSession(request), maxAge: 0 });
}

function cookie(
  token: string,
  { baseUrl, secure, ...ends }: { baseUrl: string; secure: boolean; expires?: Date; maxAge: number },
): string {
  const path = basePathOf(baseUrl);
  const secureName = path === "" ? SECURE_NAME : NAME_BELOW;
  const attributes = { ...ends, path: path || "/", secure, httpOnly: true, sameSite: "strict" } as const;
  return new Bun.Cookie(secure ? secureName : NAME, token, attributes).toString();
}

/** Whether a request comes from a page of this server. */
export function sourceOfRequest({ headers }: Request, baseUrl: string) {
  return sourceOf(
    { site: headers.get("sec-fetch-site"), origin: headers.get("origin"), host: headers.get("host") },
    baseUrl,
  );
}

/** A page of another site must not sign in its visitors here. @throws AppError `forbidden` */
export function assertNotForeign(request: Request, baseUrl: string): void {
  if (sourceOfRequest(request, baseUrl) === "foreign") throw forbidden();
}

/** Whether the browser uses HTTPS, to this server or to a reverse proxy. */
export function isSecure(request: Request, baseUrl: string): boolean {
  return (request.headers.get("origin") ?? baseUrl).startsWith("https:");
}
