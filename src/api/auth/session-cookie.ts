import { sourceOf } from "../../domain/accounts/session.ts";

const NAME = "stillup_session";

/** Over HTTPS: with this prefix, no neighbouring host and no plain HTTP can set it. */
const SECURE_NAME = `__Host-${NAME}`;

/** The value of the session cookie of a request, if there is one. */
export function sessionToken(request: Request): string | undefined {
  const cookies = new Bun.CookieMap(request.headers.get("cookie") ?? "");
  return cookies.get(SECURE_NAME) ?? cookies.get(NAME) ?? undefined;
}

/** The cookie of a session that ends at a moment, as the header `Set-Cookie` has it. */
export function sessionCookie(
  token: string,
  { expiresAt, secure }: { expiresAt: number; secure: boolean },
): string {
  const expires = new Date(expiresAt);
  return new Bun.Cookie(secure ? SECURE_NAME : NAME, token, { ...attributes, expires, secure }).toString();
}

/** Deletes the cookie that a request came with. */
export function noSessionCookie(request: Request): string {
  const secure = new Bun.CookieMap(request.headers.get("cookie") ?? "").has(SECURE_NAME);
  const name = secure ? SECURE_NAME : NAME;
  return new Bun.Cookie(name, "", { ...attributes, secure, maxAge: 0 }).toString();
}

const attributes = { path: "/", httpOnly: true, sameSite: "strict" } as const;

export function sourceOfRequest({ headers }: Request, baseUrl: string) {
  return sourceOf(
    { site: headers.get("sec-fetch-site"), origin: headers.get("origin"), host: headers.get("host") },
    baseUrl,
  );
}

/** Whether the reader's browser talks HTTPS, be it to us or to a proxy before us. */
export function isSecure(request: Request, baseUrl: string): boolean {
  return (request.headers.get("origin") ?? baseUrl).startsWith("https:");
}
