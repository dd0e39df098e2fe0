import { isSecureUrl } from "../network/local-request.ts";

/** Which server answers for which domains (RFC 9224). */
export interface RdapServers {
  /** When the list was published, as it says itself. */
  publication: string;
  /** URLs that end with a slash, by the names under which the domains are: mostly a top-level domain. */
  byName: ReadonlyMap<string, string>;
}

/** The server of the registry of a domain: the longest name in the list decides. Undefined without one. */
export function serverFor({ byName }: RdapServers, domain: string): string | undefined {
  const labels = domain.split(".");
  const names = labels.map((_, at) => labels.slice(at).join("."));
  return names.map((name) => byName.get(name)).find((server) => server !== undefined);
}

/**
 * Reads a list in the form of RFC 9224. Of the servers of a name, the first one that may be asked counts.
 *
 * @returns undefined for any other text, and for a list without a server
 */
export function parseRdapServers(text: string): RdapServers | undefined {
  const { publication, services } = parsed(text);
  if (!Array.isArray(services)) return undefined;
  const byName = new Map<string, string>();
  for (const service of services) {
    const [names, urls] = Array.isArray(service) ? service : [];
    const server = textsIn(urls).find(isSecureUrl);
    if (server === undefined) continue;
    for (const name of textsIn(names)) byName.set(name.toLowerCase(), server.replace(/\/*$/, "/"));
  }
  return byName.size === 0 ? undefined : { publication: String(publication ?? "unknown"), byName };
}

function parsed(text: string): { publication?: unknown; services?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Where the list of RDAP servers is from: the list itself, if it was in a file, or a URL. */
export type RdapSource = RdapServers | { url: string };

/** Reads the list in the binary: the date, then in each line a server and its names, with `*` for the name in the URL. */
export function readBuiltInServers(text: string): RdapServers {
  const [publication = "", ...lines] = text.trim().split("\n");
  const byName = new Map<string, string>();
  for (const line of lines) {
    const [server = "", ...names] = line.split(" ");
    for (const name of names) byName.set(name, server.replace("*", name));
  }
  return { publication, byName };
}
