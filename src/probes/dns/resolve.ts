import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { Lookup, LookupFailure } from "../../domain/checks/observation.ts";
import { HostError, ProbeError } from "../probe-error.ts";
import { type DnsClient, ownWaitOf } from "./dns-client.ts";
import { type Question, reservedAnswer } from "./dns-packet.ts";

/** How long an A answer waits for the AAAA answer, in milliseconds (RFC 8305). */
const RESOLUTION_DELAY = 50;

/** The same if all addresses are asked for, but at most half of the timeout. Some servers never answer AAAA queries. */
const RESOLUTION_DELAY_OF_ALL = 1000;

/** @throws ProbeError `dns_not_found`, `dns_failed`, `dns_unreachable`; any other error is a fault of this machine */
type Resolve = (host: string, timeout: number, options?: ResolveOptions) => Promise<string[]>;

/** Gets what the DNS says about a name: not of a name of this machine, or of one that a search domain completes. */
export interface DnsListener {
  /**
   * @param lookups the results of the queries, at least one
   * @param ownWait how many milliseconds later than without a fault of the DNS servers they came
   */
  heard(lookups: Lookup[], ownWait: number): void;
}

/**
 * @property family the only version of IP
 * @property onExtraWait asks for all addresses, so that the AAAA answer may be later: called with the milliseconds
 *   for which the A answer waited longer than without it, if it did
 */
export interface ResolveOptions {
  family?: IpFamily | undefined;
  listener?: DnsListener | undefined;
  onExtraWait?: ((ms: number) => void) | undefined;
}

/** A version of IP. */
export type IpFamily = 4 | 6;

/** @param searchDomains whether to apply the search domains of the system */
export function createResolver(dns: DnsClient, { searchDomains }: { searchDomains: boolean }): Resolve {
  return async (host, timeout, { family, listener, onExtraWait } = {}) => {
    const ofFamily = (addresses: string[]) =>
      family === undefined ? addresses : addresses.filter((address) => isIP(address) === family);
    const name = isIP(host) ? host : asciiName(host);
    const local = isIP(name) ? [name] : await addressesInHostsFile(name);
    if (ofFamily(local).length > 0) return ofFamily(local);
    if (isIP(name)) throw notFound(name, family);
    try {
      return family === undefined
        ? await askServers(dns, name, { timeout, listener, onExtraWait })
        : await askFamily(dns, { name, type: family === 4 ? "A" : "AAAA" }, { timeout, listener });
    } catch (error) {
      if (!searchDomains || !isIncomplete(host, error)) throw error;
      const found = ofFamily(await askSearchDomains(name, timeout));
      if (found.length === 0) throw error;
      return found;
    }
  };
}

/**
 * Whether a search domain may complete the name: it is unknown, or has one label, for which servers return various
 * errors. Servers that can't be reached are not asked again.
 */
function isIncomplete(host: string, error: unknown): boolean {
  if (!(error instanceof ProbeError) || error.reason === "dns_unreachable") return false;
  if (reservedAnswer({ name: asciiName(host), type: "A" })) return false;
  return !host.includes(".") || (error.reason === "dns_not_found" && !host.endsWith("."));
}

/** A name as it appears in the DNS: `bücher.example.` is `xn--bcher-kva.example`. */
export function asciiName(host: string): string {
  return (domainToASCII(host) || host).replace(/\.$/, "");
}

async function askServers(
  dns: DnsClient,
  name: string,
  { timeout, listener, onExtraWait }: ResolveOptions & { timeout: number },
): Promise<string[]> {
  const settled = await bothFamilies(
    dns.ask({ name, type: "AAAA" }, timeout),
    dns.ask({ name, type: "A" }, timeout),
    onExtraWait && { delay: Math.min(RESOLUTION_DELAY_OF_ALL, timeout / 2), report: onExtraWait },
  );
  const lookups = settled.filter((one) => one.status === "fulfilled").map(({ value }) => value);
  if (lookups.length > 0) listener?.heard(lookups, ownWaitIn(lookups));
  const addresses = lookups.flatMap(({ values }) => values);
  if (addresses.length > 0) return addresses;
  const faults = settled.filter((one) => one.status === "rejected").map(({ reason }): unknown => reason);
  if (faults.length > 0) throw worstFault(faults);
  throw lookupError(name, lookups);
}

async function askFamily(
  dns: DnsClient,
  question: Question,
  { timeout, listener }: ResolveOptions & { timeout: number },
): Promise<string[]> {
  const lookup = await dns.ask(question, timeout);
  listener?.heard([lookup], ownWaitOf(lookup));
  if (lookup.values.length > 0) return lookup.values;
  throw lookupError(question.name, [lookup], question.type === "A" ? 4 : 6);
}

/** Both answers, or only the A answer if the AAAA answer is late: some servers never answer AAAA queries. */
async function bothFamilies(
  ipv6: Promise<Lookup>,
  ipv4: Promise<Lookup>,
  extra?: { delay: number; report: (ms: number) => void },
): Promise<PromiseSettledResult<Lookup>[]> {
  const both = Promise.allSettled([ipv6, ipv4]);
  const found = await ipv4.catch(() => undefined);
  if (!found || found.values.length === 0) return both;
  const start = performance.now();
  const late = Bun.sleep(extra?.delay ?? RESOLUTION_DELAY).then(() => Promise.allSettled([ipv4]));
  const settled = await Promise.race([both, late]);
  const wait = performance.now() - start - RESOLUTION_DELAY;
  if (wait > 0) extra?.report(wait);
  return settled;
}

/** If the A answer has addresses, the AAAA answer delays no check. */
function ownWaitIn(lookups: Lookup[]): number {
  const ipv4 = lookups.filter(({ recordType, values }) => recordType === "A" && values.length > 0);
  return Math.max(...(ipv4.length > 0 ? ipv4 : lookups).map(ownWaitOf));
}

/** A fault of this machine of any query says that the others prove nothing either. */
export function worstFault(faults: unknown[]): unknown {
  return faults.find((fault) => !(fault instanceof ProbeError)) ?? faults[0];
}

function isFault(failure: LookupFailure | null): failure is LookupFailure {
  return failure !== null && failure !== "nxdomain" && failure !== "no_data";
}

/**
 * Looks up a name with the search domains of the system, which c-ares adds. c-ares is not used for all names, because
 * it caches answers and loses most of 3,000 lookups that start at once. getaddrinfo is never used, because it runs on a
 * small pool of threads, and one dead DNS server would block all lookups.
 */
async function askSearchDomains(name: string, timeout: number): Promise<string[]> {
  const found = await Promise.race([
    Bun.dns.lookup(name, { backend: "c-ares" }).catch(() => []),
    Bun.sleep(timeout * 0.4),
  ]);
  return [...new Set(found?.map(({ address }) => address))];
}

/** @param lookups without an address @param family the only one that was asked for */
function lookupError(name: string, lookups: Lookup[], family?: IpFamily): HostError {
  const unanswered = lookups.find(({ failure }) => isFault(failure));
  if (!unanswered) return notFound(name, family, aliasIn(lookups));
  const fault = ("cause" in unanswered && unanswered.cause) || unanswered.failure;
  return new HostError("dns_failed", name, (host) => `the DNS gave no answer for ${host} (${fault})`);
}

/** The end of the aliases of a name, which has no address (RFC 6604). */
function aliasIn(lookups: Lookup[]): string | undefined {
  return lookups
    .map((lookup) => ("alias" in lookup ? lookup.alias : undefined))
    .find((alias) => alias !== undefined);
}

/** @param alias the end of its aliases; it is named only beside the name itself */
function notFound(name: string, family?: IpFamily, alias?: string): HostError {
  const address = family ? `IPv${family} address` : "address";
  return new HostError("dns_not_found", name, (host) =>
    alias !== undefined && host === name
      ? `${host} is an alias, and its target ${alias} has no ${address} in the DNS`
      : `${host} has no ${address} in the DNS`,
  );
}

/** The addresses of a host in `/etc/hosts`; most hosts have none there. */
async function addressesInHostsFile(host: string): Promise<string[]> {
  return addressesIn(await readFile("/etc/hosts", "utf8").catch(() => ""), host);
}

/** @param text lines that start with an address, followed by its names; `#` starts a comment (hosts(5)) */
export function addressesIn(text: string, host: string): string[] {
  const wanted = host.toLowerCase();
  const lines = text.split("\n").map((line) => line.replace(/#.*/, "").trim().split(/\s+/));
  const matching = lines.filter(([, ...names]) => names.some((name) => name.toLowerCase() === wanted));
  return matching.map(([address = ""]) => address).filter((address) => isIP(address));
}
