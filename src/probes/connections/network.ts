import { BlockList, isIP } from "node:net";
import { MAX_ADDRESSES } from "../../domain/checks/observation.ts";
import { compareAddresses } from "../../domain/network/client-address.ts";
import type { DnsServer } from "../../domain/network/dns-server.ts";
import { createDnsClient, type DnsClient } from "../dns/dns-client.ts";
import { createResolver, type DnsListener, type IpFamily } from "../dns/resolve.ts";
import type { Closable, Lifetime } from "../lifetime.ts";
import { HostError } from "../probe-error.ts";
import type { ProbeSettings } from "../probe-thread.ts";
import { Connector, type Endpoint } from "./connector.ts";

/** @property timeout milliseconds @property family the only version of IP */
export interface LookupOptions {
  timeout: number;
  family?: IpFamily | undefined;
  listener?: DnsListener | undefined;
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
  /** Whether the settings of the operator allow connections to an IP address. @param port without it: whether any port of the address is allowed */
  isAllowed(address: string, port?: number): boolean;
  /** Whether a proxy may be used: where it connects to is not judged here. */
  readonly allowsProxies: boolean;
  /**
   * The addresses of a host in the order in which they are to be tried, families alternating. At most `MAX_ADDRESSES`.
   *
   * @param host a name, or an IP address, which is returned unchanged and at once
   * @param timeout milliseconds
   * @throws ProbeError `dns_not_found`, `dns_failed`, `dns_unreachable`, `private_target`; any other error is a fault of this machine
   */
  addressesOf(host: string, timeout: number, listener?: DnsListener): string[] | Promise<string[]>;
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
  { dnsServers, privateTargets, only }: ProbeSettings,
  openSockets = new OpenSockets(),
  onDnsAnswer = () => {},
): Network {
  if (only) return createOnlyNetwork(only, openSockets);
  const dns = createDnsClient(dnsServers, openSockets, { onFirstAnswer: onDnsAnswer });
  const resolve = createResolver(dns, { searchDomains: dnsServers === undefined });
  const isAllowed = (address: string) => privateTargets === "allow" || !isPrivateAddress(address);

  async function resolved(host: string, { timeout, ...options }: LookupOptions): Promise<string[]> {
    return allowed(host, await resolve(host, timeout, options));
  }

  function allowed(host: string, addresses: string[]): string[] {
    const tried = firstToTry(addresses, isAllowed);
    if (tried.length > 0) return tried;
    throw privateTarget(host);
  }

  return {
    dns,
    connector: new Connector(openSockets),
    isAllowed,
    allowsProxies: privateTargets === "allow",
    addressesOf: (host, timeout, listener) =>
      isIP(host) ? allowed(host, [host]) : resolved(host, { timeout, listener }),
    resolve: resolved,
    async everyAddressOf(host, { timeout, family, listener }) {
      let extraWait = 0;
      const onExtraWait = (ms: number) => {
        extraWait = ms;
      };
      const found = await resolve(host, timeout, { family, listener, onExtraWait });
      const all = [...new Set(found)].sort(compareAddresses);
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

/** A network of one address and port: every name has that address, and nothing else is connected to. */
function createOnlyNetwork(only: Endpoint, openSockets: OpenSockets): Network {
  const addresses = [only.address];
  const noDns: DnsClient = { ask: () => Promise.reject(notOnly("the DNS")) };
  return {
    dns: noDns,
    connector: new Connector(openSockets, (endpoint) => {
      if (!isSame(endpoint, only)) throw notOnly(`${endpoint.address} port ${endpoint.port}`);
    }),
    isAllowed: (address, port = only.port) => isSame({ address, port }, only),
    allowsProxies: false,
    addressesOf: () => addresses,
    resolve: async () => addresses,
    everyAddressOf: async () => ({ addresses, omitted: 0, extraWait: 0 }),
    dnsWith: () => noDns,
  };
}

function isSame(one: Endpoint, other: Endpoint): boolean {
  return one.address === other.address && one.port === other.port;
}

function notOnly(name: string): HostError {
  return new HostError(
    "private_target",
    name,
    (host) => `${host} is not this server, which checks only itself`,
  );
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

/** The AAAA query may still run, over UDP and TCP, while the IPv4 addresses are tried. */
const SOCKETS_OF_LATE_QUERY = 2;

/** The network for one check, or a part of it. */
abstract class CheckNetwork implements Network {
  readonly dns: DnsClient;
  readonly connector: Connector;

  constructor(readonly network: Network) {
    this.dns = network.dns;
    this.connector = network.connector;
  }

  isAllowed(address: string, port?: number): boolean {
    return this.network.isAllowed(address, port);
  }

  get allowsProxies(): boolean {
    return this.network.allowsProxies;
  }

  abstract addressesOf(host: string, timeout: number, listener?: DnsListener): string[] | Promise<string[]>;

  abstract resolve(host: string, options: LookupOptions): Promise<string[]>;

  async everyAddressOf(host: string, options: LookupOptions): Promise<EveryAddress> {
    return this.network.everyAddressOf(host, options);
  }

  dnsWith(servers: DnsServer[]): DnsClient {
    return this.network.dnsWith(servers);
  }
}

/** The network that all checks share, for what is no part of one check. */
export function sharedNetwork(network: Network): Network {
  return network instanceof CheckNetwork ? sharedNetwork(network.network) : network;
}

/** Counts the sockets of a check by the addresses that it tries. */
export class CountingNetwork extends CheckNetwork {
  /** How many sockets the check may hold from now on; undefined before its name is resolved. */
  sockets: number | undefined;
  /** How many it held at most; undefined if no name was resolved. The connections of all redirects are open until the end. */
  held: number | undefined;
  /** Whether the check has parts, one for each address, which hold their sockets at the same time. */
  private hasParts = false;

  addressesOf(host: string, timeout: number, listener?: DnsListener): string[] | Promise<string[]> {
    const found = this.network.addressesOf(host, timeout, listener);
    return Array.isArray(found) ? this.countOne(host, found) : found.then((all) => this.countOne(host, all));
  }

  async resolve(host: string, options: LookupOptions): Promise<string[]> {
    const addresses = await this.network.resolve(host, options);
    this.count(host, addresses);
    if (this.hasParts) this.sockets = this.held;
    return addresses;
  }

  /** Each address is counted when it is tried. */
  override async everyAddressOf(host: string, options: LookupOptions): Promise<EveryAddress> {
    const found = await super.everyAddressOf(host, options);
    this.hasParts = true;
    return found;
  }

  private countOne(host: string, addresses: string[]): string[] {
    const sockets = this.count(host, addresses);
    this.sockets = this.hasParts ? this.held : sockets;
    return addresses;
  }

  /** An IP address, which is its own address, needs no query. */
  private count(host: string, addresses: string[]): number {
    const sockets = addresses[0] === host ? 1 : addresses.length + SOCKETS_OF_LATE_QUERY;
    this.held = (this.held ?? 0) + sockets;
    return sockets;
  }
}

/** The network for the check of one address of a host: the first name that is resolved has this address only. */
export class PinnedNetwork extends CheckNetwork {
  private isPinned = true;

  constructor(
    network: Network,
    private readonly address: string,
  ) {
    super(network);
  }

  addressesOf(host: string, timeout: number, listener?: DnsListener): string[] | Promise<string[]> {
    return this.network.addressesOf(this.pinned(host), timeout, listener);
  }

  async resolve(host: string, options: LookupOptions): Promise<string[]> {
    return this.network.resolve(this.pinned(host), options);
  }

  /** An address, which is resolved to itself, and may be refused as private. */
  private pinned(host: string): string {
    const resolved = this.isPinned ? this.address : host;
    this.isPinned = false;
    return resolved;
  }
}

/**
 * Addresses that are not public: all that IANA lists as special-purpose, and a few more. The IPv4 ranges also apply to IPv4
 * addresses embedded in IPv6.
 */
const RANGES = [
  "0.0.0.0/8", // this network; 0.0.0.0 connects to this machine
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure: the services of the host of a virtual machine
  "169.254.0.0/16", // link-local; the metadata services of clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112: sinks for queries about private addresses
  "192.52.193.0/24", // multicast tunnels
  "192.88.99.0/24", // relays of 6to4
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
  "::/96", // unspecified, loopback, IPv4-compatible
  "::ffff:0:0:0/96", // IPv4-translated
  "64:ff9b:1::/48", // translation to private IPv4
  "100::/64", // discarded
  "100:0:0:1::/64", // dummy addresses
  "2001::/23", // protocol assignments, with Teredo, which reaches hosts behind a NAT
  "2001:db8::/32", // documentation
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
  "5f00::/16", // identifiers of segment routing
  "fc00::/7", // unique-local
  "fe80::/10", // link-local
  "fec0::/10", // site-local
  "ff00::/8", // multicast
];

const blocked = new BlockList();

for (const range of RANGES) {
  const [network = "", prefix] = range.split("/");
  blocked.addSubnet(network, Number(prefix), familyOf(network));
  if (familyOf(network) === "ipv4") blockEmbedded(network, Number(prefix));
}

/** Blocks an IPv4 network as NAT64 and 6to4 embed it. `BlockList` handles IPv4-mapped addresses itself. */
function blockEmbedded(network: string, prefix: number): void {
  const hex = Buffer.from(network.split(".").map(Number)).toString("hex").replace(/^.{4}/, "$&:");
  blocked.addSubnet(`64:ff9b::${hex}`, 96 + prefix, "ipv6");
  blocked.addSubnet(`2002:${hex}::`, 16 + prefix, "ipv6");
}

/** Whether `--private-targets deny` forbids connections to an IP address (behavior 1.21). */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%.*/, "");
  return blocked.check(bare, familyOf(bare));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}
