import type { CookieJar } from "tough-cookie";
import type { Headers } from "./response-parser.ts";

/** How many lines of one answer and of a check are read, and how many cookies a request has: a server chooses them. */
const MAX_OF_ANSWER = 100;
const MAX_OF_CHECK = 1000;
const MAX_OF_REQUEST = 100;

/** Bytes of all lines of a check: texts of servers are searched for the values in many forms. */
const MAX_SIZE_OF_CHECK = 128 * 1024;

/** A longer line is ignored: browsers keep 4 KiB of a name and its value (RFC 6265, 6.1). Bytes. */
const MAX_LINE = 5 * 1024;

/** A shorter value, such as `true`, is no secret, and would hide other texts. */
const SHORTEST_SECRET = 6;

/**
 * The cookies of one check, which end with it (RFC 6265, behavior 26.100 to 26.104). The library, and with it the list of public
 * suffixes, is loaded with the first `Set-Cookie` of an answer that another request follows.
 */
export class Cookies {
  private jar: CookieJar | undefined = undefined;
  private linesRead = 0;
  private bytesRead = 0;
  /** The values by name, as the answers set them last. */
  private readonly latest = new Map<string, string>();

  /** Keeps the cookies of an answer. @param url that has answered */
  async keep(headers: Headers, url: URL): Promise<void> {
    const lines = headers.filter(([name]) => name.toLowerCase() === "set-cookie").slice(0, MAX_OF_ANSWER);
    if (lines.length === 0) return;
    this.jar ??= await emptyJar();
    for (const [, line] of lines) this.keepOne(line, url, this.jar);
  }

  private keepOne(line: string, { href }: URL, jar: CookieJar): void {
    if (line.length > MAX_LINE || ++this.linesRead > MAX_OF_CHECK) return;
    this.bytesRead += line.length;
    if (this.bytesRead > MAX_SIZE_OF_CHECK) return;
    // A header has one character for each byte, and servers write UTF-8.
    const cookie = jar.setCookieSync(Buffer.from(line, "latin1").toString(), href, { ignoreError: true });
    if (!cookie) return;
    if (cookie.TTL() > 0) this.latest.set(cookie.key, cookie.value);
    else this.latest.delete(cookie.key);
  }

  /** The pairs for a request, such as `sid=31d4`; undefined if there are none. */
  pairsFor({ href }: URL): string[] | undefined {
    const pairs = this.jar?.getCookiesSync(href).map((cookie) => cookie.cookieString()) ?? [];
    return pairs.length > 0 ? pairs.slice(0, MAX_OF_REQUEST) : undefined;
  }

  /** The value that an answer set last, if it has not been deleted since. */
  valueOf(name: string): string | undefined {
    return this.latest.get(name);
  }

  /** The values that a server may repeat in a text, where they must not appear. */
  secrets(): string[] {
    return [...this.latest.values()].filter((value) => value.length >= SHORTEST_SECRET);
  }
}

async function emptyJar(): Promise<CookieJar> {
  const { CookieJar: Jar } = await import("tough-cookie");
  return new Jar(undefined, { allowSecureOnLocal: false });
}
