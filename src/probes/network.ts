import { createDnsClient, type DnsClient } from "./dns-client.ts";
import { isPrivateAddress } from "./private-address.ts";
import { ProbeError } from "./probe-error.ts";
import type { ProbeSettings } from "./probe-settings.ts";
import { createResolver } from "./resolve.ts";

/** How many addresses of one name are tried: each may hold a socket until the check ends. */
const MOST_ADDRESSES = 6;

/** The way to the targets, as the operator has set it. */
export interface Network {
  dns: DnsClient;
  /**
   * The addresses at which a host may be connected to, in the order in which they are to be tried, families alternating:
   * at most `MOST_ADDRESSES`, however many the name has.
   *
   * @param host a name, or an IP address, which stands for itself
   * @param timeout milliseconds
   * @throws ProbeError `dns_not_found`, `dns_failed`, `private_target`; anything else is a fault of ours
   */
  addressesOf(host: string, timeout: number): Promise<string[]>;
}

export function createNetwork({ dnsServers, privateTargets }: ProbeSettings): Network {
  const dns = createDnsClient(dnsServers);
  const resolve = createResolver(dns, { searchDomains: dnsServers === undefined });
  return {
    dns,
    async addressesOf(host, timeout) {
      const addresses = await resolve(host, timeout);
      const isAllowed = (address: string) => privateTargets === "allow" || !isPrivateAddress(address);
      const tried = firstToTry(addresses, isAllowed);
      if (tried.length > 0) return tried;
      throw new ProbeError(
        "private_target",
        `${host} is at a private address, and this server does not connect to those (--private-targets deny)`,
      );
    },
  };
}

/**
 * Alternates the families, that of the first address first, so that a family without a way through the network costs one
 * head start only (RFC 8305). The addresses that are then connected to are judged, not the name: its meaning may change
 * in between.
 */
function firstToTry(addresses: string[], isAllowed: (address: string) => boolean): string[] {
  const [first = ""] = addresses;
  const same: string[] = [];
  const other: string[] = [];
  for (const address of new Set(addresses)) {
    const family = isIPv6(address) === isIPv6(first) ? same : other;
    if (family.length < MOST_ADDRESSES && isAllowed(address)) family.push(address);
  }
  const alternating = Array.from({ length: MOST_ADDRESSES }, (_, at) => [same[at], other[at]]).flat();
  return alternating.filter((address) => address !== undefined).slice(0, MOST_ADDRESSES);
}

/** By its text: a name may have thousands of addresses, and `node:net` parses each. */
function isIPv6(address: string): boolean {
  return address.includes(":");
}
