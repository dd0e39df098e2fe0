import { isIP } from "node:net";
import { MAX_ADDRESSES } from "../../domain/checks/observation.ts";
import { compareAddresses } from "../../domain/network/client-address.ts";
import type { DnsServer } from "../../domain/network/dns-server.ts";
import { createDnsClient, type DnsClient } from "../dns/dns-client.ts";
import { createResolver, type IpFamily } from "../dns/resolve.ts";
import { HostError } from "../probe-error.ts";
import type { ProbeSettings } from "../probe-thread.ts";
import type { Closable, Lifetime } from "../turns.ts";
import { Connector } from "./connector.ts";
import { isPrivateAddress } from "./private-address.ts";

/** @property timeout milliseconds @property family the only version of IP */
export interface LookupOptions {
  timeout: number;
  family?: IpFamily | undefined;
}

/**
 * @property omitted how many other addresses the host has
 * @property extraWait milliseconds that a check of one address would not have waited for the DNS
 */
export interface EveryAddress {
  addresses: string[];
  omitted: number;
  extraWait: number;
}

/** Access to the network, with the DNS servers and the policy of the operator. */
export interface Network {
  dns: DnsClient;
  connector: Connector;
  /**
   * The addresses of a host in the order in which they are to be tried, families alternating. At most `MAX_ADDRESSES`.
   *
   * @param host a name, or an IP address, which is returned unchanged and at once
   * @param timeout milliseconds
   * @throws ProbeError `dns_not_found`, `dns_failed`, `dns_unreachable`, `private_target`; any other error is a fault of this machine
   */
  addressesOf(host: string, timeout: number): string[] | Promise<string[]>;
  /** Like `addressesOf`, for a check whose sockets are not counted, or that uses only one version of IP. */
  resolve(host: string, options: LookupOptions): Promise<string[]>;
  /**
   * The addresses of a host for a check of each of them, in their order, at most `MAX_ADDRESSES`, whether they are private or
   * not. Addresses without a route from this machine are left out if it has a route to others: a lack of IPv6 here is no fault of
   * the target.
   *
   * @throws ProbeError `dns_not_found`, `dns_failed`, `dns_unreachable`; any other error is a fault of this machine
   */
  everyAddressOf(host: string, options: LookupOptions): Promise<EveryAddress>;
  /** @throws ProbeError `private_target` */
  dnsWith(servers: DnsServer[]): DnsClient;
}

/**
 * @param openSockets counts the sockets that this network opens
 * @param onDnsAnswer called once, when a DNS server of the operator has answered
 */
export function createNetwork(
  { dnsServers, privateTargets, networkCheck }: ProbeSettings,
  openSockets = new OpenSockets(),
  onDnsAnswer = () => {},
): Network {
  const dns = createDnsClient(dnsServers, openSockets, { onFirstAnswer: onDnsAnswer });
  const resolve = createResolver(dns, { searchDomains: dnsServers === undefined });
  const isAllowed = (address: string) => privateTargets === "allow" || !isPrivateAddress(address);

  async function resolved(host: string, timeout: number, family?: IpFamily): Promise<string[]> {
    return allowed(host, await resolve(host, timeout, { family }));
  }

  function allowed(host: string, addresses: string[]): string[] {
    const tried = firstToTry(addresses, isAllowed);
    if (tried.length > 0) return tried;
    throw privateTarget(host);
  }

  return {
    dns,
    connector: new Connector(openSockets, networkCheck !== undefined),
    addressesOf: (host, timeout) => (isIP(host) ? allowed(host, [host]) : resolved(host, timeout)),
    resolve: (host, { timeout, family }) => resolved(host, timeout, family),
    async everyAddressOf(host, { timeout, family }) {
      let extraWait = 0;
      const onExtraWait = (ms: number) => {
        extraWait = ms;
      };
      const all = [...new Set(await resolve(host, timeout, { family, onExtraWait }))].sort(compareAddresses);
      const addresses = await firstWithRoute(all, MAX_ADDRESSES);
      return { addresses, omitted: all.length - addresses.length, extraWait };
    },
    dnsWith(servers) {
      const denied = servers.find(({ address }) => !isAllowed(address));
      if (denied) throw privateTarget(`the DNS server ${denied.address}`);
      return createDnsClient(servers, openSockets, { isTarget: true });
    },
  };
}

/** @param name what has the address */
function privateTarget(name: string): HostError {
  return new HostError(
    "private_target",
    name,
    (host) =>
      `${host} is at a private address, and this server does not connect to those (--private-targets deny)`,
  );
}

/**
 * Alternates the families, starting with the family of the first address, so that a family without a route costs only one
 * head start (RFC 8305). The policy tests the addresses that are then connected to, never the name, because another
 * lookup of the name may give other addresses (behavior 1.21).
 */
function firstToTry(addresses: string[], isAllowed: (address: string) => boolean): string[] {
  const [first = ""] = addresses;
  if (addresses.length === 1) return isAllowed(first) ? addresses : [];
  const same: string[] = [];
  const other: string[] = [];
  for (const address of new Set(addresses)) {
    const family = isIPv6(address) === isIPv6(first) ? same : other;
    if (family.length < MAX_ADDRESSES && isAllowed(address)) family.push(address);
  }
  const alternating = Array.from({ length: MAX_ADDRESSES }, (_, at) => [same[at], other[at]]).flat();
  return alternating.filter((address) => address !== undefined).slice(0, MAX_ADDRESSES);
}

/** Faster than `node:net`, which parses the address: a name may have thousands. */
function isIPv6(address: string): boolean {
  return address.includes(":");
}

/** Errors of an address that this machine has no route to, or of a version of IP that it does not have. */
const NO_ROUTE = new Set(["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT"]);

/** @param most how many @returns the first addresses that this machine has a route to, or the first ones if there is none */
async function firstWithRoute(addresses: readonly string[], most: number): Promise<string[]> {
  const found: string[] = [];
  for (const address of addresses) {
    if (found.length === most) break;
    if (await hasRoute(address)) found.push(address);
  }
  return found.length > 0 ? found : addresses.slice(0, most);
}

/** Any port: nothing is sent. */
const PORT = 9;

/** Whether this machine has a route to an address: a connection of UDP needs one, and sends nothing. */
async function hasRoute(address: string): Promise<boolean> {
  const hostname = address.includes(":") ? "::" : "0.0.0.0";
  try {
    const socket = await Bun.udpSocket({ hostname, connect: { hostname: address, port: PORT } });
    socket.close();
    return true;
  } catch (error) {
    // Any other error says more if a connection fails with it.
    return !NO_ROUTE.has((error as NodeJS.ErrnoException).code ?? "");
  }
}

/** Counts the open sockets of probes. */
export class OpenSockets implements Closable {
  /** @param count its first entry is the number of open sockets; another thread may read it */
  constructor(private readonly count: Int32Array<ArrayBufferLike> = new Int32Array(1)) {}

  open(): void {
    Atomics.add(this.count, 0, 1);
  }

  /** To be called once for each call of `open`. */
  close(): void {
    Atomics.sub(this.count, 0, 1);
  }

  /** Counts a socket that closes at the end of a lifetime. */
  openUntil(end: Lifetime): void {
    this.open();
    end.add(this);
  }
}
