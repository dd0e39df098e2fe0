import { OIDC_ATTEMPT_LENGTH } from "../../domain/people/person.ts";

const NAME = "stillup_oidc";

/** The name over HTTPS. With this prefix, plain HTTP can't set the cookie. */
const SECURE_NAME = `__Secure-${NAME}`;

/** @property path of the routes @property secure whether the browser uses HTTPS */
interface CookiePlace {
  path: string;
  secure: boolean;
}

/** The `Set-Cookie` header that binds a sign-in at a provider to this browser. It comes back with the provider, so it is `Lax`. */
export function attemptCookie(token: string, place: CookiePlace): string {
  return cookie(token, OIDC_ATTEMPT_LENGTH / 1000, place);
}

/** The `Set-Cookie` header that deletes it. */
export function deletedAttemptCookie(place: CookiePlace): string {
  return cookie("", 0, place);
}

function cookie(value: string, maxAge: number, { path, secure }: CookiePlace): string {
  const name = secure ? SECURE_NAME : NAME;
  return new Bun.Cookie(name, value, { path, secure, maxAge, httpOnly: true, sameSite: "lax" }).toString();
}

/** The value of the cookie in a request. */
export function attemptToken(
  { headers }: Request,
  { secure }: Pick<CookiePlace, "secure">,
): string | undefined {
  const pattern = secure ? /(?:^|;)[ \t]*__Secure-stillup_oidc=([^;]*)/ : /(?:^|;)[ \t]*stillup_oidc=([^;]*)/;
  return pattern.exec(headers.get("cookie") ?? "")?.[1]?.trim();
}
