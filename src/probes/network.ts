import { createDnsClient, type DnsClient } from "./dns-client.ts";
import { isPrivateAddress } from "./private-address.ts";
import { ProbeError } from "./probe-error.ts";
import type { ProbeSettings } from "./probe-settings.ts";
import { createResolver } from "./resolve.ts";

/** The way to the targets, as the operator has set it. */
export interface Network {
  dns: DnsClient;
  /**
   * The addresses at which a host may be connected to, in the order in which they are to be tried.
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
      return privateTargets === "deny" ? publicOnes(host, addresses) : addresses;
    },
  };
}

/** Judged are the addresses that are then connected to, not the name: what it means may change in between. */
function publicOnes(host: string, addresses: string[]): string[] {
  const allowed = addresses.filter((address) => !isPrivateAddress(address));
  if (allowed.length > 0) return allowed;
  throw new ProbeError(
    "private_target",
    `${host} is at a private address, and this server does not connect to those (--private-targets deny)`,
  );
}
