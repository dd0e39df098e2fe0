import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { Lookup, LookupFailure } from "../domain/dns-answer.ts";
import type { DnsClient } from "./dns-client.ts";
import { addressesInHostsFile } from "./hosts-file.ts";
import { ProbeError } from "./probe-error.ts";

/** How long the address of one family waits for that of the other, in milliseconds (RFC 8305). */
const RESOLUTION_DELAY = 50;

/** @throws ProbeError `dns_not_found`, `dns_failed`; anything else where our own resolver can't be reached */
export type Resolve = (host: string, timeout: number) => Promise<string[]>;

/** @param ownClient whether to ask the servers that the operator has set, instead of those of the system */
export function createResolver(dns: DnsClient, { ownClient }: { ownClient: boolean }): Resolve {
  return async (host, timeout) => {
    if (isIP(host)) return [host];
    const name = asciiName(host);
    if (isIP(name)) return [name];
    return ownClient ? askServers(dns, name, timeout) : askSystem(dns, name, timeout);
  };
}

/** A name as the DNS knows it: `bücher.example.` is `xn--bcher-kva.example`. */
export function asciiName(host: string): string {
  return (domainToASCII(host) || host).replace(/\.$/, "");
}

async function askServers(dns: DnsClient, name: string, timeout: number): Promise<string[]> {
  const own = await addressesInHostsFile(name);
  if (own.length > 0) return own;
  const settled = await bothFamilies(
    dns.ask({ name, type: "AAAA" }, timeout),
    dns.ask({ name, type: "A" }, timeout),
  );
  const lookups = settled.filter((one) => one.status === "fulfilled").map(({ value }) => value);
  const addresses = lookups.flatMap(({ values }) => values);
  if (addresses.length > 0) return addresses;
  const [unreachable] = settled.filter((one) => one.status === "rejected");
  if (unreachable) throw unreachable.reason;
  throw explain(name, lookups.map(({ failure }) => failure).find(isFault));
}

/** Both answers, or that for IPv4 alone where the other one is late: some servers are silent about IPv6. */
async function bothFamilies(
  ipv6: Promise<Lookup>,
  ipv4: Promise<Lookup>,
): Promise<PromiseSettledResult<Lookup>[]> {
  const both = Promise.allSettled([ipv6, ipv4]);
  const found = await ipv4.catch(() => undefined);
  if (!found || found.values.length === 0) return both;
  const late = Bun.sleep(RESOLUTION_DELAY).then(() => Promise.allSettled([ipv4]));
  return Promise.race([both, late]);
}

function isFault(failure: LookupFailure | null): failure is LookupFailure {
  return failure !== null && failure !== "nxdomain" && failure !== "no_data";
}

/**
 * Through c-ares, which waits for any number of silent name servers at once: getaddrinfo has a small pool of threads, and
 * one dead server would hold up all others. It waits long for its own servers, so that they are asked for a sign of
 * life while it does: only where there is one does the silence count against the name.
 */
async function askSystem(dns: DnsClient, name: string, timeout: number): Promise<string[]> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(async () => {
    const [alive] = await Promise.all([dns.isAlive(timeout * 0.4), Bun.sleep(timeout * 0.45)]);
    late.reject(
      alive ? explain(name, "timeout") : new Error("none of the system's DNS servers can be reached"),
    );
  }, timeout * 0.4);
  try {
    const found = await Promise.race([Bun.dns.lookup(name, { backend: "c-ares" }), late.promise]);
    return [...new Set(found.map(({ address }) => address))];
  } catch (error) {
    throw await translate(dns, name, error as NodeJS.ErrnoException, timeout);
  } finally {
    clearTimeout(timer);
  }
}

async function translate(
  dns: DnsClient,
  name: string,
  error: NodeJS.ErrnoException,
  timeout: number,
): Promise<Error> {
  switch (error.code) {
    case "DNS_ENOTFOUND":
    case "DNS_ENODATA":
      return explain(name);
    case "DNS_ESERVFAIL":
      return explain(name, "servfail");
    case "DNS_EREFUSED":
      return explain(name, "refused");
    case "DNS_ETIMEOUT":
      return (await dns.isAlive(timeout * 0.4)) ? explain(name, "timeout") : error;
    default:
      return error;
  }
}

/** @param fault why there is no answer; none where the answer is that there is no address */
function explain(name: string, fault?: LookupFailure): ProbeError {
  if (!fault) return new ProbeError("dns_not_found", `${name} has no address in the DNS`);
  return new ProbeError("dns_failed", `the DNS gave no answer for ${name} (${fault})`);
}
