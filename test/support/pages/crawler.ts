import { BASE_URL, HOSTS } from "./seeded-instance.ts";

/** @property url of the public, not of the server that answered @property text decoded */
export interface Fetched {
  method: string;
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

/** Everything that was sent for it. */
export function bytesOf({ headers, text }: Fetched): string {
  return `${[...headers].map((header) => header.join(": ")).join("\n")}\n\n${text}`;
}

/** @property headers of the request @property body of the request */
interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const MAX_PAGES = 1000;

/** Reads public URLs from a server that proxies would send them to, as everybody can. */
export class Crawler {
  readonly fetched: Fetched[] = [];

  constructor(private readonly server: string) {}

  async send(url: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Fetched> {
    // The path is sent as it is written, also if no URL may contain it.
    const [, , host = "", path = "/"] = /^(https:\/\/)([^/]+)(.*)$/.exec(url) ?? [];
    const response = await fetch(`${this.server}${path}`, {
      method,
      redirect: "manual",
      headers: { "accept-encoding": "identity", ...headers, host },
      ...(body !== undefined && { body }),
    });
    const one = {
      method,
      url,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    };
    this.fetched.push(one);
    return one;
  }

  /** Reads the URLs in every way that is only reading, then those that they link to on these hosts. */
  async follow(urls: string[]): Promise<void> {
    const known = new Set(urls);
    for (const url of known) {
      if (known.size > MAX_PAGES) throw new Error(`more than ${MAX_PAGES} pages: ${url}`);
      const { text } = await this.#read(url);
      for (const link of linksIn(text, url)) known.add(link);
    }
  }

  async #read(url: string): Promise<Fetched> {
    const plain = await this.send(url);
    for (const coding of ["gzip", "br"]) await this.send(url, { headers: { "accept-encoding": coding } });
    await this.send(url, { method: "HEAD" });
    const etag = plain.headers.get("etag");
    for (const tag of etag === null ? ["*"] : [etag, `W/${etag}`, `"other", ${etag}`, "*"])
      await this.send(url, { headers: { "if-none-match": tag } });
    return plain;
  }
}

const ORIGINS = [BASE_URL, ...Object.keys(HOSTS).map((host) => `https://${host}`)];

/** The links on our own hosts, in HTML, JSON or Atom, without fragments. */
function linksIn(text: string, base: string): string[] {
  const relative = [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, link = ""]) => link);
  const absolute = text.match(/https:\/\/[^\s"'<>\\)]+/g) ?? [];
  return [...relative, ...absolute]
    .map((link) => URL.parse(link.replaceAll("&amp;", "&"), base))
    .filter((url) => url !== null && ORIGINS.includes(url.origin))
    .map((url) => `${url?.origin}${url?.pathname}${url?.search}`);
}
