import { sourceOf } from "../../domain/accounts/organization.ts";
import { AppError } from "../../errors.ts";

const NAME = "stillup_session";

/** The name over HTTPS. With this prefix, neither another subdomain nor plain HTTP can set the cookie. */
const SECURE_NAME = `__Host-${NAME}`;

/**
 * The value of the session cookie of a request, if there is one. With a base URL of HTTPS, only the cookie that neither another
 * subdomain nor plain HTTP can set.
 */
export function sessionToken(request: Request, baseUrl: string): string | undefined {
  return cookieOf(request, SECURE) ?? (baseUrl.startsWith("https:") ? undefined : cookieOf(request, PLAIN));
}

/** Whether a request may have a session, valid or not. */
export function hasSessionCookie(request: Request): boolean {
  return (cookieOf(request, SECURE) ?? cookieOf(request, PLAIN)) !== undefined;
}

/** The other cookies are not parsed: a header can have thousands. */
const SECURE = /(?:^|;)[ \t]*__Host-stillup_session=([^;]*)/;
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
  { expiresAt, now, secure }: { expiresAt: number; now: number; secure: boolean },
): string {
  const expires = new Date(expiresAt);
  const maxAge = Math.ceil((expiresAt - now) / 1000);
  const name = secure ? SECURE_NAME : NAME;
  return new Bun.Cookie(name, token, { ...attributes, expires, maxAge, secure }).toString();
}

/** The `Set-Cookie` header that gives the session cookie of a request another end; undefined without a cookie. */
export function renewedSessionCookie(
  request: Request,
  { baseUrl, ...ends }: { expiresAt: number; now: number; baseUrl: string },
): string | undefined {
  const token = sessionToken(request, baseUrl);
  const secure = cookieOf(request, SECURE) !== undefined;
  return token === undefined ? undefined : sessionCookie(token, { ...ends, secure });
}

/** The `Set-Cookie` header that deletes the session cookie of a request. */
export function deletedSessionCookie(request: Request): string {
  const secure = cookieOf(request, SECURE) !== undefined;
  const name = secure ? SECURE_NAME : NAME;
  return new Bun.Cookie(name, "", { ...attributes, secure, maxAge: 0 }).toString();
}

const attributes = { path: "/", httpOnly: true, sameSite: "strict" } as const;

/** Whether a request comes from a page of this server. */
export function sourceOfRequest({ headers }: Request, baseUrl: string) {
  return sourceOf(
    { site: headers.get("sec-fetch-site"), origin: headers.get("origin"), host: headers.get("host") },
    baseUrl,
  );
}

/** A page of another site must not sign in its visitors here. @throws AppError `forbidden` */
export function assertNotForeign(request: Request, baseUrl: string): void {
  if (sourceOfRequest(request, baseUrl) === "foreign") throw new AppError("forbidden", "Forbidden");
}

/** Whether the browser uses HTTPS, to this server or to a reverse proxy. */
export function isSecure(request: Request, baseUrl: string): boolean {
  return (request.headers.get("origin") ?? baseUrl).startsWith("https:");
}
