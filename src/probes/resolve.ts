import { isIP } from "node:net";
import { ProbeError } from "./probe-error.ts";

/**
 * The addresses of a host, in the order in which they are to be tried. Through c-ares, which waits for any number of
 * silent name servers at once: getaddrinfo has a small pool of threads, and one dead server would hold up all others.
 *
 * @param host a name, or an IP address, which stands for itself
 * @throws ProbeError `dns_not_found`, `dns_failed`; anything else where our own resolver can't be reached
 */
export async function resolve(host: string): Promise<string[]> {
  if (isIP(host)) return [host];
  try {
    const found = await Bun.dns.lookup(host, { backend: "c-ares" });
    return [...new Set(found.map(({ address }) => address))];
  } catch (error) {
    throw explain(host, error as NodeJS.ErrnoException);
  }
}

function explain(host: string, error: NodeJS.ErrnoException): Error {
  switch (error.code) {
    case "DNS_ENOTFOUND":
    case "DNS_ENODATA":
      return new ProbeError("dns_not_found", `${host} has no address in the DNS`);
    case "DNS_ESERVFAIL":
    case "DNS_EREFUSED":
    case "DNS_ETIMEOUT":
      return new ProbeError(
        "dns_failed",
        `the DNS gave no answer for ${host} (${error.code.slice("DNS_".length)})`,
      );
    default:
      return error;
  }
}
