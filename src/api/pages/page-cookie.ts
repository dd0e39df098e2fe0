import { PASS_LENGTH } from "../../runner/pages/page-lock.ts";

const NAME = "stillup_page";

/** The other cookies are not parsed: a header can have thousands. */
const PASSES = new RegExp(`(?:^|;)[ \\t]*${NAME}=([^;]*)`, "g");

/** There are two if the page got this host after the first one was set: one for its path, and one for `/`. */
const MOST = 4;

/** The passes in the cookies of a request. */
export function passesOf({ headers }: Request): string[] {
  const cookies = headers.get("cookie");
  if (cookies === null) return [];
  return [...cookies.matchAll(PASSES).take(MOST)].map(([, pass = ""]) => pass.trim());
}

/** The `Set-Cookie` header for a page (behavior 21.36). @param path of the page */
export function passCookie(pass: string, { path, secure }: { path: string; secure: boolean }): string {
  const maxAge = PASS_LENGTH / 1000;
  return new Bun.Cookie(NAME, pass, { path, secure, maxAge, httpOnly: true, sameSite: "lax" }).toString();
}
