import { sourceOf } from "../domain/session.ts";

const NAME = "stillup_session";

/** What stands in the cookie of a request, if there is one. */
export function sessionToken(request: Request): string | undefined {
  return new Bun.CookieMap(request.headers.get("cookie") ?? "").get(NAME) ?? undefined;
}

/** The cookie of a session that ends at a moment, as the header `Set-Cookie` has it. */
export function sessionCookie(
  token: string,
  { expiresAt, secure }: { expiresAt: number; secure: boolean },
): string {
  const expires = new Date(expiresAt);
  return new Bun.Cookie(NAME, token, { ...attributes, expires, secure }).toString();
}

/** Takes the cookie away. */
export function noSessionCookie(): string {
  return new Bun.Cookie(NAME, "", { ...attributes, maxAge: 0 }).toString();
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
