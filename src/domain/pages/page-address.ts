/** The slugs of the pages that have a host of their own, by the name of the host in lower case (behavior 15.36). */
export type PageHosts = ReadonlyMap<string, string>;

/** Where the public pages are. */
export interface PageAddresses {
  /** The URL of a page, without a trailing slash: at its host if it has one. */
  urlOf(slug: string): string;
  /** The slug of the page at the host of a request; undefined if it is another host. */
  slugAtHost(request: HostedRequest): string | undefined;
}

/** The part of a request that names its host. */
interface HostedRequest {
  headers: { get(name: "host"): string | null };
}

/** @param baseUrl the URL of the server, without a trailing slash */
export function createPageAddresses(hosts: PageHosts, baseUrl: () => string): PageAddresses {
  const hostOf = new Map([...hosts].toReversed().map(([host, slug]) => [slug, host]));
  return {
    urlOf(slug) {
      const host = hostOf.get(slug);
      const scheme = baseUrl().startsWith("http://") ? "http" : "https";
      return host === undefined ? `${baseUrl()}/status/${slug}` : `${scheme}://${host}`;
    },
    slugAtHost(request) {
      // Reading its headers creates them, which costs every request of a server without such hosts.
      if (hosts.size === 0) return undefined;
      const host = request.headers.get("host");
      return host === null ? undefined : hosts.get(nameOf(host));
    },
  };
}

/** The name of a host without its port and without the dot that may end it. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").replace(/\.$/, "").toLowerCase();
}

/** Reads `status.example.com=shop,status.example.org=blog`. @returns undefined for any other text */
export function parsePageHosts(text: string): PageHosts | undefined {
  const hosts = new Map<string, string>();
  for (const item of text.split(",")) {
    const [host, slug, ...rest] = item.trim().split("=");
    const name = hostName(host ?? "");
    if (name === undefined || slug === undefined || rest.length > 0) return undefined;
    if (!isSlug(slug) || hosts.has(name)) return undefined;
    hosts.set(name, slug);
  }
  return hosts;
}

/** In the form in which browsers send it: in lower case, and letters outside of ASCII encoded. */
function hostName(text: string): string | undefined {
  const url = /^[^\s/\\@:?#[\]]+$/.test(text) ? URL.parse(`http://${text}`) : null;
  return url?.hostname.replace(/\.$/, "") || undefined;
}

/** Most characters of a slug. */
export const MAX_SLUG_LENGTH = 63;

const SLUG = new RegExp(`^[a-z0-9-]{1,${MAX_SLUG_LENGTH}}$`);

/** Whether a text can be the slug of a page (behavior 15.3). */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}
